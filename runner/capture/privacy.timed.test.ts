/**
 * Private spans: the video is black in them, and no frame contains anything that the display showed between the
 * confirmation and the end of the span. The display counts milliseconds, so that every frame shows its capture time.
 */
import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PrivateStretch } from "@tapedeck/contract/privacy.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN } from "../../test/api-server.ts";
import { type CounterDisplay, startCounterDisplay } from "../../test/counter/counter-display.ts";
import { readVideo } from "../../test/counter/read-video.ts";
import { inExplore } from "../../test/in-explore.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { pause, until } from "../../test/wait.ts";

const began = performance.now();
const now = () => performance.now() - began;
let display: CounterDisplay;
beforeAll(async () => {
	display = await startCounterDisplay(now);
});
afterAll(() => display.stop());

const scene = runnerScene({ display: null });

const WIDTH = 320;
const HEIGHT = 240;
/** Brightness up to 255. The display always has white blocks. */
const BLACK = 4;
const LIT = 128;

/** The brightest pixel of each frame of a video, or of a picture. */
async function brightest(file: string): Promise<number[]> {
	const output = ["-fps_mode", "passthrough", "-vf", `scale=${WIDTH}:${HEIGHT}`, "-pix_fmt", "gray", "-f", "rawvideo"];
	const { stdout } = await promisify(execFile)(
		requireProgram("ffmpeg"),
		["-nostdin", "-v", "error", "-i", file, ...output, "-"],
		{ encoding: "buffer", maxBuffer: 1 << 30 },
	);
	const size = WIDTH * HEIGHT;
	return Array.from({ length: stdout.length / size }, (_, index) =>
		stdout.subarray(index * size, (index + 1) * size).reduce((most, value) => Math.max(most, value), 0),
	);
}

const privacyReports = (job: FakeJob) => job.reports.filter((report) => report.type === "privacy");
const stretchesOf = (job: FakeJob): PrivateStretch[] => privacyReports(job).at(-1)?.stretches ?? [];

/** Resolves when the runner has confirmed this change. @returns that moment, from `now`. */
async function confirmed(job: FakeJob, version: number): Promise<number> {
	await until(
		() => privacyReports(job).some((report) => report.version === version),
		() => `change ${version} is confirmed:\n${scene.runner.output()}`,
	);
	return now();
}

/** Begins a private span. @returns the time of its confirmation. */
const hide = (job: FakeJob) => confirmed(job, scene.dashboard.setPrivacy(job, true));

/** Ends the span. @returns the time of this request. */
async function show(job: FakeJob): Promise<number> {
	const asked = now();
	await confirmed(job, scene.dashboard.setPrivacy(job, false));
	return asked;
}

interface Hidden {
	/** The stretch from the confirmation until the end was requested, in the display's counts. */
	from: number;
	to: number;
}

/**
 * Expects every frame within the reported stretches to be black, every other one to show the display as it was then, and
 * none to show the display of a moment that was to be hidden.
 */
async function expectHidden(job: FakeJob, hidden: readonly Hidden[]): Promise<void> {
	const file = join(scene.folder, "private.mp4");
	await writeFile(file, await scene.dashboard.video(job));
	const [{ frames, complaints }, lights] = await Promise.all([readVideo(file), brightest(file)]);
	expect(complaints).toBe("");
	expect(lights).toHaveLength(frames.length);
	const stretches = stretchesOf(job);
	const isWithin = (at: number) =>
		stretches.some(({ from, to }) => at >= from - 0.001 && (to === null || at < to - 0.001));
	const seen = frames.map(({ at, counter }, index) => ({ at: at / 1_000, counter, light: lights[index] ?? 0 }));
	expect(seen.filter(({ at, light }) => isWithin(at) && light > BLACK)).toEqual([]);
	// A switch is no stall, unless a busy machine takes a second for it.
	for (const report of job.reports) {
		if (report.type !== "capture_stalled") continue;
		expect(report.to - report.from).toBeGreaterThanOrEqual(1);
		expect(seen.filter(({ at }) => at >= report.from && at < report.to - 0.001)).toEqual([]);
	}
	const shown = seen.filter(({ at }) => !isWithin(at));
	expect(shown.filter(({ light }) => light < LIT)).toEqual([]);
	const showsHidden = ({ counter }: (typeof seen)[number]) =>
		counter !== null && hidden.some(({ from, to }) => counter > from && counter < to);
	expect(seen.filter(showsHidden)).toEqual([]);
	// If several spans were requested in a row, each one has frames of its own and is long enough.
	for (const { from, to } of stretches) {
		expect(seen.some(({ at }) => at >= from && (to === null || at < to))).toBe(true);
	}
	const lengths = stretches.flatMap(({ from, to }) => (to === null ? [] : [to - from]));
	for (const [index, length] of lengths.entries()) {
		const { from = 0, to = 0 } = hidden[index] ?? {};
		expect(length).toBeGreaterThan((to - from) / 1_000);
	}
	const startedAt = Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "");
	const first = startedAt - Date.now() + now();
	const wrong = shown.filter(({ at, counter }) => counter !== null && Math.abs((counter - first) / 1_000 - at) > 0.5);
	expect(wrong).toEqual([]);
	expect(shown.filter(({ counter }) => counter === null).length).toBeLessThanOrEqual(frames.length * 0.05);
}

const finish = async (job: FakeJob) => {
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
};

/** Kills the ffmpeg that records now. */
async function killFfmpeg(): Promise<void> {
	for (const pid of await scene.ffmpegs()) process.kill(pid, "SIGKILL");
}

test("between the confirmation of privacy and its end, every frame is black and none shows what the display showed; all others show their moment, and a duration stays exact", async () => {
	await scene.start();
	const job = scene.duration(16, display.id);
	await scene.status(job, "recording");
	const hidden: Hidden[] = [];
	for (let times = 1; times <= 2; times++) {
		await pause(1_200);
		const from = await hide(job);
		await pause(1_500);
		hidden.push({ from, to: await show(job) });
	}
	await scene.status(job, "completed");
	expect(scene.reasonOf(job)).toBe("duration_elapsed");
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({
		durationSeconds: expect.closeTo(16, 3),
		faults: "",
	});
	expect(job.reports.find(({ type }) => type === "stopped")).toMatchObject({ verdict: "ok" });
	await expectHidden(job, hidden);
});

test("a private stretch outlives kill -9 of ffmpeg and of the runner, with its poster and samples", async () => {
	await scene.start();
	const job = scene.interrupt(display.id);
	await scene.status(job, "recording");
	await pause(1_000);
	const from = await hide(job);
	const [folder] = await spooled(scene.dataDir);
	const poster = join(scene.dataDir, "jobs", folder ?? "", "poster.jpg");
	await pause(500);
	await killFfmpeg();
	await until(async () => (await scene.ffmpegs()).length === 1, "another ffmpeg records");
	await pause(1_500);
	await scene.kill();
	await pause(1_000);
	await scene.start();
	await scene.runner.says("resuming the recording");
	await killFfmpeg();
	await until(async () => (await scene.ffmpegs()).length === 1, "another ffmpeg records");
	await pause(3_000);
	const written = (await stat(poster)).mtimeMs;
	expect(written - Date.now() + now()).toBeGreaterThan(from);
	for (const light of await brightest(poster)) expect(light).toBeLessThan(BLACK * 4);
	const parts = [2, 3, 4].map((part) => join(scene.dataDir, "jobs", folder ?? "", `part-${part}.gray`));
	for (const part of parts) {
		const samples = await readFile(part).catch(() => Buffer.alloc(0));
		expect(Math.max(0, ...samples)).toBeLessThanOrEqual(BLACK);
	}
	const to = await show(job);
	await pause(1_200);
	await finish(job);
	await expectHidden(job, [{ from, to }]);
});

inExplore(test)(
	"a runner that is killed before it could begin a private stretch begins it when it is back",
	async () => {
		await scene.start();
		const job = scene.interrupt(display.id);
		await scene.status(job, "recording");
		await pause(1_000);
		await scene.kill();
		const version = scene.dashboard.setPrivacy(job, true);
		await pause(500);
		expect(privacyReports(job)).toEqual([]);
		await scene.start();
		const from = await confirmed(job, version);
		await pause(1_000);
		const to = await show(job);
		await pause(1_000);
		await finish(job);
		await expectHidden(job, [{ from, to }]);
	},
);

test("a job that is private before it starts never captures its display, and has no verdict", async () => {
	const job = scene.interrupt(display.id);
	const version = scene.dashboard.setPrivacy(job, true);
	job.order.type = "private_recording";
	await scene.start();
	await scene.status(job, "recording");
	await confirmed(job, version);
	await pause(2_500);
	await finish(job);
	expect(stretchesOf(job)).toEqual([{ from: 0, to: null }]);
	expect(job.reports.find(({ type }) => type === "stopped")).not.toHaveProperty("verdict");
	const file = join(scene.folder, "private.mp4");
	await writeFile(file, await scene.dashboard.video(job));
	const lights = await brightest(file);
	expect(lights.length).toBeGreaterThan(3);
	expect(Math.max(...lights)).toBeLessThanOrEqual(BLACK);
});

test("the end of a job ends its private stretch, and a stretch that was ended and begun again at once is confirmed as private", async () => {
	await scene.start();
	const job = scene.interrupt(display.id);
	await scene.status(job, "recording");
	await pause(1_000);
	const from = await hide(job);
	await pause(700);
	const to = now();
	scene.dashboard.setPrivacy(job, false);
	const again = await hide(job);
	await pause(700);
	await finish(job);
	expect(stretchesOf(job).at(-1)?.to).toBeNull();
	await expectHidden(job, [
		{ from, to },
		{ from: again, to: Number.POSITIVE_INFINITY },
	]);
});

test("asked for by the API: once the call has returned, neither video nor storyboard nor frames show the display, until it is shown again", async () => {
	const api = await startTestApi();
	try {
		await scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN } });
		const [runner] = (await api.call("GET", "/v1/runners")).body.data;
		const order = { runnerId: runner.id, displayId: display.id, stopCondition: "interrupt" };
		const { id } = (await api.call("POST", "/v1/jobs", { body: order })).body;
		const waited = (goal: string) => api.call("GET", `/v1/jobs/${id}?waitFor=${goal}&timeoutSeconds=60`);
		await waited("recording");
		await pause(2_500);
		const begun = await api.call("POST", `/v1/jobs/${id}/privacy`, { body: { on: true } });
		expect([begun.status, begun.body.on], JSON.stringify(begun.body)).toEqual([200, true]);
		const from = now();
		const picture = await api.call("GET", `/v1/runners/${runner.id}/displays/${display.id.slice(1)}/picture`);
		expect([picture.status, picture.body.code]).toEqual([409, "picture_unavailable"]);
		await pause(5_000);
		const to = now();
		expect((await api.call("POST", `/v1/jobs/${id}/privacy`, { body: { on: false } })).status).toBe(200);
		await pause(2_500);
		await api.call("POST", `/v1/jobs/${id}/cancel`);
		const { recording } = (await waited("playable")).body;
		const path = `/v1/recordings/${recording.id}`;
		const [stretch, ...more] = (await api.call("GET", path)).body.privacy as PrivateStretch[];
		expect(more).toEqual([]);
		const end = stretch?.to ?? 0;
		const isWithin = (at: number) => stretch !== undefined && at >= stretch.from && at < end;
		const pictureOf = async (part: string) => {
			const answer = await fetch(api.url + path + part, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
			expect(answer.status, part).toBe(200);
			const file = join(scene.folder, "part");
			await writeFile(file, Buffer.from(await answer.arrayBuffer()));
			return file;
		};
		const frames = await readVideo(await pictureOf("/video"));
		expect(frames.frames.filter(({ counter }) => counter !== null && counter > from && counter < to)).toEqual([]);
		const { data } = (await api.call("GET", `${path}/storyboard`)).body;
		const times = (data as { at: number }[]).map(({ at }) => at).filter(isWithin);
		expect(times.length).toBeGreaterThan(0);
		const middle = ((stretch?.from ?? 0) + end) / 2;
		for (const part of [...times.map((at) => `/frame?at=${at}`), `/frame?at=${middle.toFixed(2)}&width=320`]) {
			// JPEG has some noise.
			expect(Math.max(...(await brightest(await pictureOf(part)))), part).toBeLessThan(4 * BLACK);
		}
		const [lit] = (data as { at: number }[]).map(({ at }) => at).filter((at) => !isWithin(at));
		expect(Math.max(...(await brightest(await pictureOf(`/frame?at=${lit}`))))).toBeGreaterThan(LIT);
	} finally {
		await scene.runner.stop();
		await api.stop();
	}
});
