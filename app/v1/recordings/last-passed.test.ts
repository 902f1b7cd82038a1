/** The recording that a failed one is compared with. */
import type { Insertable } from "kysely";
import { expect, test } from "vitest";
import type { RecordingTable } from "#lib/db/schema.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
let count = 0;

type Values = Partial<Omit<Insertable<RecordingTable>, "labels">> & { labels?: Record<string, string> };

onOneDatabase((api) => {
	/** Each is a second younger than the one before. */
	const add = async ({ labels = {}, ...values }: Values): Promise<number> => {
		count += 1;
		const at = BEGIN + count * 1_000;
		const { id } = await api()
			.app.db.insertInto("recording")
			.values({
				...{ organizationId: 1, jobId: null, name: "Checkout", state: "ready", contentType: "video/mp4", bytes: 7 },
				...{ uploadId: `passed-${count}`, durationSeconds: 1.5, createdAt: at, updatedAt: at },
				...values,
				labels: JSON.stringify(labels),
			})
			.returning("id")
			.executeTakeFirstOrThrow();
		return id;
	};
	const read = async (id: number) => {
		const { status, body } = await api().call("GET", `/v1/recordings/${id}/last-passed`);
		expect(status).toBe(200);
		return [body.recording?.id ?? null, body.matchedBy, body.sameBranch];
	};

	test("it is the last of the same test on the same branch, whatever they are called", async () => {
		const labels = { test: "cart.spec: pays", branch: "main" };
		await add({ labels, outcome: "passed", name: "Attempt 1" });
		const last = await add({ labels, outcome: "passed", name: "Attempt 2" });
		await add({ labels: { ...labels, branch: "feature/pay" }, outcome: "passed" });
		await add({ labels, outcome: "failed" });
		await add({ labels: { ...labels, test: "other" }, outcome: "passed" });
		await add({ labels, outcome: "passed", state: "live" });
		const failed = await add({ labels, outcome: "failed" });
		await add({ labels, outcome: "passed" });
		expect(await read(failed)).toEqual([last, "test", true]);
	});

	test("it is the last on any branch where none passed on this one, and says so", async () => {
		const labels = { test: "new on a branch" };
		await add({ labels: { ...labels, branch: "old" }, outcome: "passed" });
		const last = await add({ labels: { ...labels, branch: "main" }, outcome: "passed" });
		expect(await read(await add({ labels: { ...labels, branch: "mine" }, outcome: "failed" }))).toEqual([
			...[last, "test", false],
		]);
		const without = await add({ labels, outcome: "passed" });
		expect(await read(await add({ labels, outcome: "error" }))).toEqual([without, "test", true]);
	});

	test("without a label test it is the last of the same name that has passed", async () => {
		const last = await add({ name: "Smoke", outcome: "passed" });
		await add({ name: "Smoke 2", outcome: "passed" });
		await add({ name: "Smoke", outcome: "skipped" });
		expect(await read(await add({ name: "Smoke", outcome: "failed" }))).toEqual([last, "name", true]);
	});

	test("it is never one of another repository, or of another series of builds", async () => {
		const pass = (labels: Record<string, string>) =>
			add({ labels: { test: "test_health", ...labels }, outcome: "passed" });
		const alpha = await pass({ repository: "acme/alpha", build: "CI 1" });
		await pass({ repository: "acme/beta", build: "CI 1" });
		const nightly = await pass({ build: "nightly 1" });
		await pass({ build: "CI 2" });
		await pass({});
		const failed = (labels: Record<string, string>) =>
			add({ labels: { test: "test_health", ...labels }, outcome: "failed" });
		expect((await read(await failed({ repository: "acme/alpha", build: "CI 3" })))[0]).toBe(alpha);
		expect((await read(await failed({ build: "nightly 2" })))[0]).toBe(nightly);
		expect((await read(await failed({ repository: "acme/gamma" })))[0]).toBeNull();
	});

	test("it is the last video in which the first failed test of a recording passed before, and never one without a video", async () => {
		const { id: testId } = await api()
			.app.db.insertInto("test")
			.values({ organizationId: 1, repository: "", project: "", name: "pays", firstAt: BEGIN, lastAt: BEGIN })
			.returning("id")
			.executeTakeFirstOrThrow();
		/** @param recordingId null for a result without a video */
		const report = async (recordingId: number | null, outcome: "passed" | "failed") => {
			count += 1;
			const startedAt = BEGIN + count * 1_000;
			await api()
				.app.db.insertInto("testResult")
				.values({
					...{
						organizationId: 1,
						testId,
						recordingId,
						key: `${count}`,
						name: "pays",
						project: "",
						attempt: 1,
						outcome,
					},
					...{ startedAt, endedAt: startedAt, bytes: 1, createdAt: startedAt },
				})
				.execute();
		};
		const whole = await add({ name: "All tests", outcome: "passed" });
		await report(whole, "passed");
		const failedOnce = await add({ name: "All tests", outcome: "failed" });
		await report(failedOnce, "failed");
		// Passed later, but no video shows it.
		await report(null, "passed");
		const image = await add({ name: "All tests", outcome: "passed", kind: "image", contentType: "image/png" });
		await report(image, "passed");
		const failed = await add({ name: "Some of them", outcome: "failed" });
		await report(failed, "failed");
		expect(await read(failed)).toEqual([whole, "test", true]);
		await api().app.db.updateTable("recording").set({ deletedAt: BEGIN }).where("id", "=", whole).execute();
		expect(await read(failed)).toEqual([null, "name", false]);
	});

	test("there may be none, and what belongs to others is not found", async () => {
		const lonely = await add({ labels: { test: "never passed" }, outcome: "failed" });
		expect(await read(lonely)).toEqual([null, "test", false]);
		expect(await read(await add({ name: "Never either", outcome: "failed" }))).toEqual([null, "name", false]);
		expect((await api().call("GET", "/v1/recordings/999999/last-passed")).status).toBe(404);
	});
});
