/** Failures by API: the listed failures, their start, and the time up to which a person has seen them. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Failure } from "@tapedeck/contract/failure.ts";
import { listFailuresQuerySchema } from "@tapedeck/contract/failure.ts";
import { type Insertable, sql, type Updateable } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobTable, RecordingTable } from "#lib/db/schema.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { listFailures } from "#lib/recordings/failures.ts";
import { connect } from "#test/api-client.ts";
import { signIn } from "#test/api-people.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
let count = 0;

const VIDEO_SECONDS = 4;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
});
afterAll(removeTestFolder);

function recordingOf(values: Partial<Insertable<RecordingTable>>): Insertable<RecordingTable> {
	count += 1;
	return {
		...{ organizationId: 1, jobId: null, name: `Take ${count}`, state: "ready", contentType: "video/mp4", bytes: 7 },
		...{ uploadId: `failure-${count}`, durationSeconds: 1.5, createdAt: BEGIN, updatedAt: BEGIN },
		...values,
	};
}

const jobOf = (runnerId: number, values: Partial<Insertable<JobTable>>): Insertable<JobTable> => ({
	...{ organizationId: 1, runnerId, type: "recording", displayId: ":99", name: "Nightly", stopCondition: "interrupt" },
	...{
		stopConditionConfig: "{}",
		gridPasswordSealed: null,
		status: "recording",
		stopReason: null,
		heldStopReason: null,
	},
	...{ errorMessage: null, createdAt: BEGIN, startedAt: null, stoppedAt: null, endedAt: null, runnerKey: null },
	...{ cancelRequestedAt: null, createdByKind: null, createdById: null, createdByName: null, key: randomUUID() },
	...{ recordingDeletedAt: null },
	...values,
});

onEachDatabase((api) => {
	const db = () => api().app.db;
	const add = async (values: Partial<Insertable<RecordingTable>>): Promise<number> =>
		(await db().insertInto("recording").values(recordingOf(values)).returning("id").executeTakeFirstOrThrow()).id;
	const change = (id: number, values: Updateable<RecordingTable>) =>
		db().updateTable("recording").set(values).where("id", "=", id).execute();
	const changeJob = (id: number, values: Updateable<JobTable>) =>
		db().updateTable("job").set(values).where("id", "=", id).execute();
	const list = async (query = ""): Promise<Failure[]> =>
		(await api().call("GET", `/v1/failures?limit=100${query}`)).body.data;
	const isListed = async (id: number) => (await list()).some(({ recording }) => recording?.id === id);
	const isJobListed = async (id: number) => (await list()).some(({ job }) => job?.id === id);
	const addJob = async (values: Partial<Insertable<JobTable>>): Promise<number> => {
		const { runnerId } = await api().signIn();
		return (await db().insertInto("job").values(jobOf(runnerId, values)).returning("id").executeTakeFirstOrThrow()).id;
	};

	test("failed and erroneous tests and black and frozen videos are listed, and nothing else", async () => {
		for (const outcome of ["failed", "error"] as const) expect(await isListed(await add({ outcome }))).toBe(true);
		for (const verdict of ["black", "frozen"] as const) {
			expect(await isListed(await add({ verdict, outcome: "passed" }))).toBe(true);
		}
		for (const outcome of ["passed", "skipped", null] as const) {
			expect(await isListed(await add({ outcome, verdict: "ok" }))).toBe(false);
		}
	});

	test("a recording is listed from the time at which it fails, and no longer once it does not", async () => {
		const id = await add({ state: "live" });
		const before = Date.now();
		expect(await isListed(id)).toBe(false);
		await change(id, { outcome: "failed" });
		const [first] = await list();
		expect(first?.recording?.id).toBe(id);
		// By the clock of the database.
		expect(Math.abs(Date.parse(first?.failedAt ?? "") - before)).toBeLessThan(60_000);
		await change(id, { state: "ready", verdict: "black" });
		await change(id, { outcome: "passed" });
		expect((await list()).find(({ recording }) => recording?.id === id)?.failedAt).toBe(first?.failedAt);
		await change(id, { verdict: "ok" });
		expect(await isListed(id)).toBe(false);
		await change(id, { outcome: "error" });
		await db().deleteFrom("recording").where("id", "=", id).execute();
		expect(await isListed(id)).toBe(false);
	});

	test("a job that fails is listed once with its recording, also without one, until it goes on", async () => {
		const jobId = await addJob({ labels: '{"build":"7"}' });
		await changeJob(jobId, { status: "failed", stopReason: "display_unavailable", errorMessage: "No display :99." });
		const [alone] = await list();
		expect(alone).toMatchObject({
			...{ name: "Nightly", labels: { build: "7" }, recording: null, failMarker: null },
			job: {
				...{ id: jobId, status: "failed", stopReason: "display_unavailable" },
				error: { code: "display_unavailable", message: "No display :99." },
			},
		});
		const recordingId = await add({ jobId, outcome: "failed" });
		const both = (await list()).filter(({ job }) => job?.id === jobId);
		expect(both.map(({ recording }) => recording?.id)).toEqual([recordingId]);
		await change(recordingId, { outcome: null });
		expect(await isJobListed(jobId)).toBe(true);
		await changeJob(jobId, { status: "recording", stopReason: null });
		expect(await isJobListed(jobId)).toBe(false);
		await change(recordingId, { outcome: "failed" });
		await changeJob(jobId, { status: "failed", stopReason: "runner_lost" });
		await changeJob(jobId, { status: "completed", stopReason: "cancelled" });
		expect(await isListed(recordingId)).toBe(true);
		await db().deleteFrom("recording").where("id", "=", recordingId).execute();
		expect(await isJobListed(jobId)).toBe(false);
	});

	test("the list is bounded by times and comes in pages that add up, the last failure first", async () => {
		const ids: number[] = [];
		for (let each = 0; each < 5; each += 1) ids.unshift(await add({ outcome: "failed" }));
		const shown: (number | undefined)[] = [];
		let cursor: string | null = null;
		do {
			const at: string = cursor === null ? "" : `&cursor=${cursor}`;
			const { body } = await api().call("GET", `/v1/failures?limit=2${at}`);
			shown.push(...body.data.map(({ recording }: Failure) => recording?.id));
			cursor = body.nextCursor;
		} while (cursor !== null && shown.length < 6);
		expect(shown.slice(0, 5)).toEqual(ids);
		const all = await list();
		const { failedAt } = all[2] as Failure;
		const [after, before] = [await list(`&failedAfter=${failedAt}`), await list(`&failedBefore=${failedAt}`)];
		expect(after).toEqual(all.filter((one) => one.failedAt > failedAt));
		expect(before).toEqual(all.filter((one) => one.failedAt < failedAt));
		for (const query of ["cursor=x", "failedAfter=yesterday", "limit=0"]) {
			const { status, body } = await api().call("GET", `/v1/failures?${query}`);
			expect([status, body.errors[0].path]).toEqual([422, query.split("=")[0]]);
		}
	});

	test("failures of other organizations are not listed", async () => {
		await sql`insert into organization (id, name, slug, "createdAt") values (99, 'o', 'o', '2026-01-01')`.execute(db());
		expect(await isListed(await add({ organizationId: 99, outcome: "failed" }))).toBe(false);
	});

	test("a recorded test that fails is listed with its first marker of the kind fail, and the frame at that moment", async () => {
		const dashboard = { url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) };
		const runner = await scriptRunner(dashboard, "runner of failures");
		const jobId = await runner.record("Checkout");
		expect(await runner.send(jobId, 0, video, video.length)).toBe(204);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const job = await dashboard.api.waitFor(jobId, "playable");
		await runner.stop();
		const path = `/v1/recordings/${job.recording?.id}`;
		for (const [label, offsetSeconds] of [
			["expected 3 items, got 2", 2.5],
			["teardown failed, too", 3.5],
		] as const) {
			await api().call("POST", `${path}/markers`, { body: { label, kind: "fail", offsetSeconds } });
		}
		await api().call("POST", `${path}/markers`, { body: { label: "Cart", kind: "step", offsetSeconds: 1 } });
		const failMarker = { label: "expected 3 items, got 2", offsetSeconds: 2.5, message: null, clampedTo: null };
		expect((await list()).find((one) => one.job?.id === jobId)).toMatchObject({
			...{ name: "Checkout", outcome: "failed", failMarker },
			recording: { id: job.recording?.id, verdict: "ok" },
		});
		const frame = await fetch(`${api().url}${path}/frame?of=failure`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
		});
		expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		for (const [query, field] of [
			["at=now", "at"],
			["", "at"],
			["at=1&of=failure", "at"],
			["of=success", "of"],
		]) {
			const { status, body } = await api().call("GET", `${path}/frame?${query}`);
			expect([status, body.errors[0].path]).toEqual([422, field]);
		}
	});

	test("each person has their own mark, which is only moved by them, in either direction", async () => {
		const owner = await signIn(api());
		expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt: null });
		for (const seenAt of ["2026-11-20T07:00:00.000Z", "2026-11-19T07:00:00.000Z"]) {
			expect((await owner.call("PUT", "/v1/failures/seen", { body: { seenAt } })).body).toEqual({ seenAt });
			await owner.call("GET", "/v1/failures");
			expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt });
		}
		const rows = await db().selectFrom("failuresSeen").select(["userId", "organizationId"]).execute();
		expect(rows).toEqual([{ userId: owner.userId, organizationId: 1 }]);
		await owner.call("PUT", "/v1/failures/seen", { body: { seenAt: null } });
		expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt: null });
		for (const body of [{}, { seenAt: "now" }, { seenAt: 5 }]) {
			const answer = await owner.call("PUT", "/v1/failures/seen", { body });
			expect([answer.status, answer.body.errors[0].path]).toEqual([422, "seenAt"]);
		}
	});

	test("a page of the list reads an index in its order", async () => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const { body } = await api().call("GET", "/v1/failures?limit=1");
		const query = listFailuresQuerySchema.parse({ cursor: body.nextCursor, failedAfter: "2026-01-01T00:00:00Z" });
		const plans = await db()
			.connection()
			.execute(async (connection) => {
				// Postgres scans tiny tables sequentially, although it would use the index on a large one.
				if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
				const plans = await plansOf(connection, (db) => listFailures({ ...ctx, db }, query));
				if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
				return plans.join("\n");
			});
		expect(plans).toMatch("failure_by_time");
		expect(plans).not.toMatch(/SCAN (failure|job|recording|marker)\b|Seq Scan/);
		// Neither all recordings of the organization.
		expect(plans).not.toMatch(/SEARCH recording USING INDEX \w+ \(organizationId/);
	});
});
