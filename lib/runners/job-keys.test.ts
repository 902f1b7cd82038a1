import { beforeEach, expect, test } from "vitest";
import type { SignInAnswer, SyncBody } from "#lib/contract/runner-protocol.ts";
import { contextFor } from "#lib/server/app-context.ts";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { leaseSweep } from "./expire-leases.ts";

onEachDatabase((api) => {
	let count = 0;
	let box: string;
	let session: SignInAnswer;
	beforeEach(async () => {
		count += 1;
		box = `keyed-${count}`;
		session = await api().signIn(box);
	});

	const runner = (path: string, body: Record<string, unknown>) =>
		api().call("POST", `/v1/runner/${path}`, {
			token: TEST_RUNNER_TOKEN,
			body: { sessionId: session.sessionId, ...body },
		});
	const sync = async (jobs: Partial<SyncBody["jobs"][number]>[] = [], waitSeconds = 0) => {
		const listed = jobs.map((job) => ({ cancelSeen: false, ...job }));
		const answer = await runner("sync", { jobs: listed, waitSeconds });
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer.body;
	};
	/** A job that the runner has started. */
	const startJob = async (name = "a job"): Promise<{ id: number; key: string }> => {
		const body = { runnerId: session.runnerId, displayId: ":99", stopCondition: "interrupt", name };
		const { id } = (await api().call("POST", "/v1/jobs", { body })).body;
		const { start } = await sync();
		const { key } = start.find((job: { id: number }) => job.id === id);
		return { id, key };
	};
	const report = async (jobId: number, jobKey: string | undefined, fields: object, seq = 1) => {
		const at = new Date().toISOString();
		return (await runner("reports", { sentAt: at, jobs: [{ at, jobId, jobKey, seq, ...fields }] })).body.jobs;
	};
	const firstFrame = { type: "recording", width: 640, height: 360 };
	const read = async (id: number) => (await api().call("GET", `/v1/jobs/${id}`)).body;
	const partialOf = async (jobId: number) =>
		(
			await api()
				.app.db.insertInto("recording")
				.values({
					organizationId: 1,
					jobId,
					name: "v",
					state: "partial",
					contentType: "video/mp4",
					uploadId: `of-${jobId}`,
					durationSeconds: 3,
					bytes: 9,
					createdAt: 1,
					updatedAt: 1,
				})
				.returning("id")
				.executeTakeFirstOrThrow()
		).id;
	const lose = async () => {
		const lastSeenAt = Date.now() - 60_000;
		await api().app.db.updateTable("runner").set({ lastSeenAt }).where("id", "=", session.runnerId).execute();
		await leaseSweep(0)(contextFor(api().app, { kind: "system", organizationId: 0 }));
	};
	const another = "the-key-of-another-job";

	test("every sign-in returns the same dashboard id", async () => {
		expect(session.dashboardId).toMatch(/^[\w-]{8,}$/);
		expect((await api().signIn(`${box}-b`)).dashboardId).toBe(session.dashboardId);
	});

	test("a listed job whose id now belongs to another job is forgotten, and the other job is started", async () => {
		const job = await startJob();
		const answer = await sync([{ id: job.id, key: another }], 8);
		expect(answer).toMatchObject({
			start: [{ id: job.id, key: job.key }],
			unknown: [],
			forgotten: [{ id: job.id, key: another }],
		});
		expect(await sync([job])).not.toHaveProperty("forgotten");
	});

	test("reports and uploads under another key do not reach the job with that id", async () => {
		const job = await startJob();
		expect(await report(job.id, another, firstFrame)).toEqual([{ jobId: job.id, status: null }]);
		const begin = (key: string) =>
			api().call("POST", "/v1/uploads", {
				token: TEST_RUNNER_TOKEN,
				headers: {
					"tus-resumable": "1.0.0",
					"tapedeck-session": session.sessionId,
					"tapedeck-job-key": key,
					"upload-defer-length": "1",
					"upload-metadata": `jobId ${btoa(String(job.id))},filetype ${btoa("video/mp4")}`,
				},
			});
		expect((await begin(another)).status).toBe(403);
		expect((await read(job.id)).status).toBe("starting");
		expect(await report(job.id, job.key, firstFrame)).toEqual([{ jobId: job.id, status: "recording" }]);
		expect((await begin(job.key)).status).toBe(201);
	});

	test("a runner without key support gets no answer about jobs that aren't its own: it would delete their recordings", async () => {
		const theirs = await startJob();
		session = await api().signIn(`${box}-old`);
		const answer = await sync([{ id: theirs.id }]);
		expect(answer).toEqual({ start: [], cancel: [], unknown: [] });
		expect(await report(theirs.id, undefined, firstFrame)).toEqual([]);
	});

	test("a job that a runner started before keys existed gets its key, if it is the same job", async () => {
		const job = await startJob("the very one");
		const right = { displayId: ":99", name: "the very one" };
		expect((await sync([{ id: job.id, identify: right }], 8)).identified).toEqual([{ id: job.id, key: job.key }]);
		const wrong = { displayId: ":99", name: "of another dashboard" };
		expect(await sync([{ id: job.id, identify: wrong }], 8)).toMatchObject({ unknown: [job.id] });
	});

	test("a lost job is restored under its key once, with its former id in its history", async () => {
		const at = new Date(Date.now() - 60_000).toISOString();
		const fields = { sentAt: new Date().toISOString(), at, key: `lost-by-${box}`, displayId: ":99", name: "lost" };
		const body = { ...fields, formerId: 77, stopCondition: "interrupt" };
		const first = await runner("jobs", body);
		expect(first.status).toBe(201);
		expect((await runner("jobs", body)).body.id).toBe(first.body.id);
		expect(await read(first.body.id)).toMatchObject({ name: "lost", status: "starting", createdAt: at });
		const events = (await api().call("GET", `/v1/jobs/${first.body.id}/events`)).body.data;
		expect(events[0].message).toContain("it was job 77");
		expect(await sync([{ id: first.body.id, key: first.body.key }])).not.toHaveProperty("forgotten");
	});

	test("restoring a job that the dashboard still has returns that job", async () => {
		const job = await startJob();
		const at = new Date().toISOString();
		const body = { sentAt: at, at, key: job.key, displayId: ":99", formerId: 5, stopCondition: "interrupt" };
		expect((await runner("jobs", body)).body.id).toBe(job.id);
	});

	test("a lost job whose recording was deleted is not restored, not by another runner either", async () => {
		const job = await startJob();
		await report(job.id, job.key, firstFrame);
		const recordingId = await partialOf(job.id);
		await lose();
		expect((await api().call("DELETE", `/v1/recordings/${recordingId}`)).status).toBe(204);
		expect(await sync([job], 8)).toMatchObject({ deleted: [job.key] });
		await report(job.id, job.key, { type: "stopped", stopReason: "cancelled" }, 2);
		expect(await read(job.id)).toMatchObject({ status: "failed", stopReason: "runner_lost", recording: null });
		session = await api().signIn(`${box}-b`);
		const elsewhere = await sync([job], 8);
		expect(elsewhere.deleted).toEqual([job.key]);
		expect(elsewhere).not.toHaveProperty("forgotten");
	});

	test("a recording whose runner has resumed the job cannot be deleted", async () => {
		const job = await startJob();
		await report(job.id, job.key, firstFrame);
		const recordingId = await partialOf(job.id);
		await lose();
		await sync([job]);
		expect((await read(job.id)).status).toBe("recording");
		expect((await api().call("DELETE", `/v1/recordings/${recordingId}`)).status).toBe(409);
	});

	test("only the first poll that a dashboard process answers requests all reports again", async () => {
		const job = await startJob();
		session = await api().signIn(box);
		expect(await sync([job], 8)).toMatchObject({ retell: true });
		expect(await sync([job])).not.toHaveProperty("retell");
	});

	test("a runner that is only uploading gets no jobs; they wait for its next start", async () => {
		const body = { runnerId: session.runnerId, displayId: ":99", stopCondition: "interrupt" };
		const { id } = (await api().call("POST", "/v1/jobs", { body })).body;
		const answer = await runner("sync", { jobs: [], waitSeconds: 0, takesJobs: false });
		expect(answer.body.start).toEqual([]);
		expect((await read(id)).status).toBe("queued");
		expect((await sync()).start).toMatchObject([{ id }]);
	});
});
