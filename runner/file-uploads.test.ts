/** Jobs that upload a file of the runner: a real dashboard and a real runner. */
import { execFile } from "node:child_process";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import { LEASE_SECONDS } from "@tapedeck/contract/runner-protocol.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contextFor } from "../lib/http/app-context.ts";
import { leaseSweep } from "../lib/runners/expire-leases.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../test/api-server.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { until } from "../test/wait.ts";

const scene = runnerScene({ display: null });
let api: TestApi;
let folder: string;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
	folder = await temporaryFolder("files");
});

async function start(env: Record<string, string> = { TAPEDECK_UPLOAD_DIR: folder }): Promise<number> {
	await scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...env } });
	return (await api.call("GET", "/v1/runners")).body.data[0].id;
}
async function created(body: object): Promise<Job> {
	const answer = await api.call("POST", "/v1/jobs", { body: { type: "file_upload", ...body } });
	expect(answer.status, JSON.stringify(answer.body)).toBe(201);
	return answer.body;
}
const ended = async ({ id }: Job): Promise<Job> =>
	(await api.call("GET", `/v1/jobs/${id}?waitFor=playable&timeoutSeconds=60`)).body;
const bytesOf = async (job: Job): Promise<Buffer> => {
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const answer = await fetch(`${api.url}/v1/recordings/${job.recording?.id}/video`, { headers });
	return Buffer.from(await answer.arrayBuffer());
};

test("a file of the runner becomes a recording of its kind, named after it, with the labels of the job", async () => {
	const runnerId = await start();
	await mkdir(join(folder, "reports"));
	await writeFile(join(folder, "reports/run.json"), "{}");
	const job = await created({ runnerId, path: "reports/run.json", labels: { build: "7" } });
	expect(job).toMatchObject({ type: "file_upload", displayId: "", stopCondition: null, path: "reports/run.json" });
	expect(await ended(job)).toMatchObject({
		...{ name: "run.json", status: "completed", stopReason: "file_sent", labels: { build: "7" } },
		recording: { kind: "document", state: "ready", bytes: 2 },
	});
	const large = Buffer.alloc(3_000_000, "x");
	await writeFile(join(folder, "dump"), large);
	const dump = await ended(await created({ runnerId, path: join(folder, "dump"), name: "Core dump" }));
	expect(dump).toMatchObject({ name: "Core dump", status: "completed", recording: { kind: "other" } });
	expect((await bytesOf(dump)).equals(large)).toBe(true);
	const listed = (await api.call("GET", "/v1/recordings?kind=document&q=label:build=7")).body.data;
	expect(listed).toMatchObject([{ name: "run.json", jobId: job.id, runnerId, contentType: "application/json" }]);
	expect((await api.call("GET", "/v1/jobs")).body.data).toEqual([]);
});

test("what is outside of the folder, no regular file or not there fails with a sentence, and is not read", async () => {
	const runnerId = await start();
	await mkdir(join(folder, "sub"));
	await symlink("/etc/hostname", join(folder, "link"));
	await symlink("/etc", join(folder, "etc"));
	await promisify(execFile)("mkfifo", [join(folder, "pipe")]);
	await writeFile(join(folder, "killed.mp4"), Buffer.alloc(28));
	const failure = async (path: string) => {
		const job = await ended(await created({ runnerId, path }));
		expect(job).toMatchObject({ status: "failed", recording: null, error: { code: "file_unavailable" } });
		return job.error?.message;
	};
	for (const path of ["/etc/hostname", "../x", "sub/../../x", "."])
		expect(await failure(path)).toContain(`is not within ${folder}`);
	for (const path of ["link", "etc/hostname", "pipe", "sub"])
		expect(await failure(path)).toContain("is not a regular file. Links, folders and devices are not uploaded.");
	expect(await failure("missing.txt")).toContain("missing.txt cannot be read: ENOENT");
	expect(await failure("killed.mp4")).toContain("it has no video in it. Its recorder was killed");
	const refused = async (body: object) =>
		(await api.call("POST", "/v1/jobs", { body: { type: "file_upload", runnerId, ...body } })).body.errors;
	expect(await refused({ path: "a\0b" })).toMatchObject([{ path: "path" }]);
	expect(await refused({ path: "a", displayId: ":1" })).toMatchObject([{ path: "displayId" }]);
});

test("a runner that names no folder uploads nothing", async () => {
	const runnerId = await start({});
	const job = await ended(await created({ runnerId, path: "/etc/hostname" }));
	expect(job.error?.message).toContain("This runner uploads no files. Set its TAPEDECK_UPLOAD_DIR");
});

/** The runner has been silent for longer than its lease. */
async function loseJobs(runnerId: number): Promise<void> {
	const { db, lastSeen } = api.app;
	await lastSeen.write();
	const lastSeenAt = Date.now() - 2 * LEASE_SECONDS * 1_000;
	await db.updateTable("runner").set({ lastSeenAt }).where("id", "=", runnerId).execute();
	await leaseSweep(0)(contextFor(api.app, { kind: "system", organizationId: 0 }));
}

test("an upload whose runner was away for longer than its lease continues once it is back", async () => {
	const runnerId = await start();
	const bytes = Buffer.alloc(40_000_000, "tapedeck");
	await writeFile(join(folder, "large.bin"), bytes);
	const job = await created({ runnerId, path: "large.bin" });
	await scene.kill();
	await loseJobs(runnerId);
	expect((await api.call("GET", `/v1/jobs/${job.id}`)).body).toMatchObject({
		status: "failed",
		stopReason: "runner_lost",
	});
	await start();
	const done = await until(
		async () => {
			const now: Job = (await api.call("GET", `/v1/jobs/${job.id}`)).body;
			return now.status === "completed" ? now : null;
		},
		"the job is completed",
		60_000,
	);
	expect(done).toMatchObject({
		stopReason: "file_sent",
		error: null,
		recording: { bytes: bytes.length, state: "ready" },
	});
	expect((await bytesOf(done)).equals(bytes)).toBe(true);
});

test("an upload whose runner is killed goes on once it is back, and a schedule uploads again and again", async () => {
	const runnerId = await start();
	const bytes = Buffer.alloc(40_000_000, "tapedeck");
	await writeFile(join(folder, "large.bin"), bytes);
	const job = await created({ runnerId, path: "large.bin" });
	await scene.kill();
	await start();
	const done = await ended(job);
	expect(done).toMatchObject({ status: "completed", recording: { bytes: bytes.length } });
	expect((await bytesOf(done)).equals(bytes)).toBe(true);
	await appendFile(join(folder, "log.txt"), "a line");
	const scheduled = { type: "file_upload", runnerId, path: "log.txt" };
	const made = await api.call("POST", "/v1/schedules", { body: { everySeconds: 60, job: scheduled } });
	expect(made.body).toMatchObject({ job: scheduled, startedJobs: 1 });
	expect(await ended(made.body.lastJob)).toMatchObject({ status: "completed", recording: { kind: "document" } });
});
