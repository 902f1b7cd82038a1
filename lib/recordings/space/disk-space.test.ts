/** Behaviour of a dashboard whose disk fills up, on a small disk created for the test. */

import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { mountSmallDisk, type SmallDisk } from "#test/processes/small-disk.ts";
import { SimulatedRunner } from "#test/runners/simulated-runner.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder, sha256 } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";
import { DiskSpace } from "./disk-space.ts";

const MEGABYTES = 64;
/** On a disk this small, the reserve is capped at a tenth of it. */
const RESERVE = Math.floor((MEGABYTES * 2 ** 20) / 10);

let disk: SmallDisk;
let api: TestApi;
let runner: SimulatedRunner;
let video: Buffer;
beforeEach(async () => {
	disk = await mountSmallDisk(MEGABYTES);
	api = await startTestApi({ TAPEDECK_DATA_DIR: disk.path });
	// The dashboard has another port after it was started again.
	const dashboard = {
		get url() {
			return api.url;
		},
		runnerToken: TEST_RUNNER_TOKEN,
	};
	runner = new SimulatedRunner(dashboard, "box");
	await runner.signIn();
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterEach(async () => {
	await api?.stop();
	await disk?.unmount();
});
afterAll(removeTestFolder);

const create = () =>
	api.call("POST", "/v1/jobs", { body: { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt" } });
const begin = (id: number) => runner.upload("POST", { id });
const patch = (id: number, offset: number, bytes: Buffer, length?: number) => {
	const end: Record<string, string> = length === undefined ? {} : { "upload-length": String(length) };
	return runner.upload("PATCH", { id }, { "upload-offset": String(offset), ...end }, bytes);
};
const offsetOf = async (id: number) => Number((await runner.upload("HEAD", { id })).headers["upload-offset"]);
const storage = async () => (await api.call("GET", "/v1/storage")).body;
const waitEventsOf = async (jobId: number): Promise<string[]> =>
	(await api.call("GET", `/v1/jobs/${jobId}/events`)).body.data
		.map((event: { type: string }) => event.type)
		.filter((type: string) => type.startsWith("upload_"));

async function recordingJob(): Promise<number> {
	const { id } = (await create()).body;
	await runner.sync();
	await runner.report(id, { type: "recording", width: 160, height: 120 });
	return id;
}

/** Follows the event stream. @returns the disk states that it reported. */
function followStorage(): { states: string[]; stop(): void } {
	const states: string[] = [];
	const req = request(`${api.url}/v1/events`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } }, (res) => {
		let text = "";
		res.on("data", (chunk) => {
			text += chunk;
			states.splice(
				0,
				states.length,
				...[...text.matchAll(/event: storage\ndata: (.*)\n/g)].map((match) => stateIn(match[1])),
			);
		});
		res.on("error", () => {});
	});
	req.on("error", () => {});
	req.end();
	return { states, stop: () => req.destroy() };
}
const stateIn = (data = "{}"): string => JSON.parse(data).state;

test("a full disk refuses only uploads, with 507, reports it once, and uploads resume where they stopped", async () => {
	const jobId = await recordingJob();
	const half = Math.floor(video.length / 2);
	expect((await begin(jobId)).status).toBe(201);
	expect((await patch(jobId, 0, video.subarray(0, half))).status).toBe(204);
	expect(await storage()).toMatchObject({ state: "ok", reserveBytes: RESERVE });
	const events = followStorage();

	await disk.fill(RESERVE - 2 ** 20);
	await expect.poll(storage).toMatchObject({ state: "full", reserveBytes: RESERVE });
	await expect.poll(() => events.states).toEqual(["full"]);
	for (let attempt = 0; attempt < 3; attempt += 1) {
		expect((await patch(jobId, half, video.subarray(half))).status).toBe(507);
		expect(await offsetOf(jobId)).toBe(half);
	}
	const people = await api.call("POST", "/v1/recordings?name=x", {
		headers: { "content-type": "video/mp4" },
		raw: video,
	});
	expect([people.status, people.body.code]).toEqual([507, "insufficient_storage"]);
	expect(people.body.detail).toMatch(/Delete recordings/);
	const second = await recordingJob();
	expect((await begin(second)).status).toBe(507);

	// The database on the same disk keeps working.
	for (let count = 0; count < 20; count += 1) expect((await create()).status).toBe(201);
	expect((await api.call("GET", "/v1/jobs")).body.data.length).toBe(22);
	expect((await api.call("POST", `/v1/jobs/${second}/cancel`)).status).toBe(202);
	expect((await api.call("GET", "/v1/health")).status).toBe(200);
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled" });
	expect((await api.call("GET", `/v1/jobs/${jobId}`)).body.status).toBe("uploading");
	expect(await waitEventsOf(jobId)).toEqual([UPLOAD_WAITING]);
	expect(await waitEventsOf(second)).toEqual([UPLOAD_WAITING]);

	await disk.empty();
	await expect.poll(() => events.states).toEqual(["full", "ok"]);
	expect(await storage()).toMatchObject({ state: "ok" });
	const third = half + 1_000;
	expect((await patch(jobId, half, video.subarray(half, third))).status).toBe(204);
	expect((await patch(jobId, third, video.subarray(third), video.length)).status).toBe(204);
	expect(await waitEventsOf(jobId)).toEqual([UPLOAD_WAITING, UPLOAD_GOES_ON]);
	expect((await api.call("GET", `/v1/jobs/${jobId}`)).body).toMatchObject({
		status: "completed",
		recording: { state: "ready" },
	});
	expect(sha256(await readFile(join(disk.path, "videos", `job-${jobId}`)))).toBe(sha256(video));
	events.stop();
});

inExplore(test)("an upload that reaches the reserve stops there, and every wait is reported", async () => {
	const jobId = await recordingJob();
	await begin(jobId);
	const bytes = randomBytes(24 * 2 ** 20);
	await disk.fill(RESERVE + 8 * 2 ** 20);
	expect((await patch(jobId, 0, bytes)).status).toBe(507);
	const stored = await offsetOf(jobId);
	expect(stored).toBeGreaterThan(2 ** 20);
	expect(await disk.freeBytes()).toBeGreaterThan(RESERVE - 3 * 2 ** 20);
	await disk.empty();
	const next = stored + 2 ** 20;
	await expect.poll(async () => (await storage()).state).toBe("ok");
	expect((await patch(jobId, stored, bytes.subarray(stored, next))).status).toBe(204);
	await disk.fill(RESERVE - 2 ** 20);
	expect((await patch(jobId, next, bytes.subarray(next))).status).toBe(507);
	await disk.empty();
	await expect.poll(async () => (await storage()).state).toBe("ok");
	const from = await offsetOf(jobId);
	expect((await patch(jobId, from, bytes.subarray(from), bytes.length)).status).toBe(204);
	expect(await waitEventsOf(jobId)).toEqual([UPLOAD_WAITING, UPLOAD_GOES_ON, UPLOAD_WAITING, UPLOAD_GOES_ON]);
	expect(sha256(await readFile(join(disk.path, "videos", `job-${jobId}`)))).toBe(sha256(bytes));
});

inExplore(test)("a dashboard restarted on a full disk does not report the same wait twice", async () => {
	const jobId = await recordingJob();
	await begin(jobId);
	expect((await patch(jobId, 0, video.subarray(0, 1_000))).status).toBe(204);
	await disk.fill(RESERVE - 2 ** 20);
	await expect.poll(async () => (await storage()).state).toBe("full");
	expect((await patch(jobId, 1_000, video.subarray(1_000))).status).toBe(507);
	await api.stop();
	api = await startTestApi({ TAPEDECK_DATA_DIR: disk.path });
	expect((await patch(jobId, 1_000, video.subarray(1_000))).status).toBe(507);
	expect(await waitEventsOf(jobId)).toEqual([UPLOAD_WAITING]);
	await disk.empty();
	await expect.poll(async () => (await storage()).state).toBe("ok");
	expect((await patch(jobId, 1_000, video.subarray(1_000), video.length)).status).toBe(204);
	expect(await waitEventsOf(jobId)).toEqual([UPLOAD_WAITING, UPLOAD_GOES_ON]);
	expect(sha256(await readFile(join(disk.path, "videos", `job-${jobId}`)))).toBe(sha256(video));
});

test("a file that cannot fit is refused before its body is sent, and leaves nothing", async () => {
	const free = await disk.freeBytes();
	const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
		const headers = {
			authorization: `Bearer ${TEST_API_KEY}`,
			"content-type": "video/mp4",
			"content-length": MEGABYTES * 2 ** 20,
		};
		const req = request(`${api.url}/v1/recordings?name=x`, { method: "POST", headers }, (res) => {
			let text = "";
			res.on("data", (chunk) => {
				text += chunk;
			});
			res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
			res.on("error", reject);
		});
		req.on("error", reject);
		// The body is never sent: the headers alone cause the refusal.
		req.flushHeaders();
	});
	expect(answer.status).toBe(507);
	expect(JSON.parse(answer.text).detail).toMatch(/disk has \d+ MB free for videos/);
	expect((await storage()).state).toBe("ok");
	expect(await disk.freeBytes()).toBeGreaterThan(free - 2 ** 20);
});

inExplore(test)(
	"a tus upload that cannot fit is refused before its first byte, and takes no space from runners",
	async () => {
		const byPerson = (bytes: number) =>
			api.call("POST", "/v1/uploads", {
				headers: {
					"tus-resumable": "1.0.0",
					"upload-length": String(bytes),
					"upload-metadata": metadata({ filetype: "video/mp4" }),
				},
			});
		expect((await byPerson(MEGABYTES * 2 ** 20)).status).toBe(507);
		expect(await readdir(join(disk.path, "videos"))).toEqual([]);
		expect((await storage()).state).toBe("ok");
		expect((await byPerson(2 ** 20)).status).toBe(201);
		expect((await begin(await recordingJob())).status).toBe(201);
	},
);

test("a reserve of 0 reserves nothing, and a small disk reserves a tenth at most", async () => {
	expect((await storage()).reserveBytes).toBe(RESERVE);
	await api.stop();
	api = await startTestApi({ TAPEDECK_DATA_DIR: disk.path, TAPEDECK_DISK_RESERVE_MB: "0" });
	expect((await storage()).reserveBytes).toBe(0);
	await api.stop();
	api = await startTestApi({ TAPEDECK_DATA_DIR: disk.path, TAPEDECK_DISK_RESERVE_MB: "2" });
	expect((await storage()).reserveBytes).toBe(2e6);
});

for (const reserve of [4 * 2 ** 20, 0]) {
	test(`a disk that has refused bytes counts as full, with a reserve of ${reserve}`, async () => {
		const space = new DiskSpace(disk.path, reserve);
		await disk.fill(reserve + 40_960);
		await expect(space.claim(65_536)).rejects.toMatchObject({ code: "insufficient_storage" });
		expect((await space.poll()).state).toBe("full");
		// Nor do smaller pieces get through.
		await expect(space.claim(100)).rejects.toMatchObject({ code: "insufficient_storage" });
		await disk.empty();
		expect((await space.poll()).state).toBe("ok");
		await space.claim(65_536);
	});
}

inExplore(test)("concurrent uploads right after a start are not refused on a disk with space", async () => {
	const space = new DiskSpace(disk.path, 2 ** 20);
	await Promise.all(Array.from({ length: 10 }, () => space.claim(1_000)));
	expect((await space.poll()).state).toBe("ok");
});

inExplore(test)("a disk that takes no more files is full, although it has bytes left: 507, and a metric", async () => {
	const small = await mountSmallDisk(MEGABYTES, undefined, 2_000);
	const token = "prometheus-0123456789abcdef";
	const other = await startTestApi({ TAPEDECK_DATA_DIR: small.path, TAPEDECK_METRICS_TOKEN: token });
	try {
		const upload = async () =>
			other.call("POST", "/v1/recordings?name=x", { headers: { "content-type": "video/mp4" }, raw: video });
		const metrics = async () => (await other.call("GET", "/metrics", { token })).body;
		expect((await upload()).status).toBe(201);
		expect(await metrics()).toContain("tapedeck_disk_full 0");
		await small.fillWithFiles();
		const refused = await upload();
		expect([refused.status, refused.body.code]).toEqual([507, "insufficient_storage"]);
		expect(await metrics()).toContain("tapedeck_disk_full 1");
		expect((await other.call("GET", "/v1/storage")).body).toMatchObject({ state: "full", waitsFor: "disk" });
		await small.empty();
		expect((await upload()).status).toBe(201);
		expect(await metrics()).toContain("tapedeck_disk_full 0");
	} finally {
		await other.stop();
		await small.unmount();
	}
});

inExplore(test)("retention applies its limit as soon as the disk is full, not at its next sweep", async () => {
	const upload = async (name: string) =>
		(await api.call("POST", `/v1/recordings?name=${name}`, { headers: { "content-type": "video/mp4" }, raw: video }))
			.body.id;
	const first = await upload("first");
	const values = { maxAgeDays: null, maxDiskPercent: 50, maxBytes: null };
	const { organizationId } = await api.app.db
		.selectFrom("recording")
		.select("organizationId")
		.executeTakeFirstOrThrow();
	await api.app.db
		.insertInto("retention")
		.values({ organizationId, ...values })
		.onConflict((conflict) => conflict.column("organizationId").doUpdateSet(values))
		.execute();
	// As if it were the videos that fill the disk: other files would raise the limit.
	await api.app.db
		.updateTable("recording")
		.set({ bytes: 50 * 2 ** 20 })
		.execute();
	await disk.fill(RESERVE - 2 ** 20);
	const isKept = async () =>
		(await api.call("GET", "/v1/recordings")).body.data.some(({ id }: { id: number }) => id === first);
	// Its sweeps are a minute apart.
	await until(async () => !(await isKept()), "it is deleted", 40_000);
});
