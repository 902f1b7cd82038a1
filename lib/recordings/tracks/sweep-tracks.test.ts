import { expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { sweepTracks } from "./sweep-tracks.ts";

const DAY_MS = 86_400_000;

onOneDatabase((api) => {
	test("tracks of jobs that recorded nothing go after a month, those of a recording or of a job under way stay", async () => {
		const { db } = api().app;
		const { runnerId } = await api().signIn();
		const order = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		const addTo = async (status: "cancelled" | "completed" | "queued"): Promise<number> => {
			const { id } = (await api().call("POST", "/v1/jobs", { body: order })).body;
			await api().call("POST", `/v1/jobs/${id}/tracks/log`, {
				raw: '{"at": "2026-11-21T01:12:00Z", "text": "x"}',
				headers: { "content-type": "application/x-ndjson" },
			});
			await db.updateTable("job").set({ status }).where("id", "=", id).execute();
			return id;
		};
		const [empty, recorded, waiting] = [await addTo("cancelled"), await addTo("completed"), await addTo("queued")];
		const now = Date.now();
		await db
			.insertInto("recording")
			.values({
				...{ organizationId: 1, jobId: recorded, name: "x", state: "ready", contentType: "video/mp4", bytes: 7 },
				...{ uploadId: `job-${recorded}`, durationSeconds: 1, createdAt: now, updatedAt: now },
			})
			.execute();
		const left = async () =>
			(await db.selectFrom("track").select("jobId").orderBy("jobId").execute()).map(({ jobId }) => jobId);
		const sweep = (days: number) =>
			sweepTracks({ db, clock: { now: () => now + days * DAY_MS } }, new AbortController().signal);
		await sweep(29);
		expect(await left()).toEqual([empty, recorded, waiting]);
		await sweep(31);
		expect(await left()).toEqual([recorded, waiting]);
	});
});
