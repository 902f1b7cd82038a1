/**
 * What is known beside the frames of a video, and how cheap it is: the tracks of a live recording, the page of one with many
 * lines, and a clip of a long one.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import type { TrackList } from "@tapedeck/contract/track.ts";
import type { Page } from "playwright";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { initOf, movedFragments } from "#test/videos/join-videos.ts";
import { openBrowser } from "./browser.ts";
import { median, ms, p50p99, p99Under, type Result, type Results } from "./figures.ts";
import { METRICS_TOKEN, makePieces, shareOf, startLoad, watch } from "./fleet-process.ts";
import { QUICK, samples } from "./samples.ts";
import { ndjsonOf } from "./track-lines.ts";

/** Of each kind of which runners and clients record any. */
const TRACKS = ["log", "console", "network", "windows"];
const LINES_PER_SECOND = 1_000;
/** A runner sends what its tracks got each 2 s. */
const WINDOW_MS = QUICK ? 500 : 20_000;
const SETTLE_MS = QUICK ? 0 : 5_000;
/** In turns, so that a machine that slows down slows both. */
const ROUNDS = QUICK ? 1 : 3;

const FEW_LINES = 100;
const MANY_LINES = 100_000;
const OPENED = QUICK ? 5 : 10;

const CLIPS = samples(20);
const CLIP = { from: 3_600, to: 3_610 };
const HOURS = 2;

/** It outlasts what is measured while it is recorded. */
const VIDEO_SECONDS = QUICK ? 20 : 150;
const PROMISED = { live: 1.3, opened: 1.2, clipMs: 1_000 };

export const figures = {
	live: {
		what: `CPU time of the dashboard for a live recording with ${TRACKS.length} tracks of ${LINES_PER_SECOND.toLocaleString("en")} lines a second`,
		promise: `≤ ${PROMISED.live} × one without`,
	},
	watched: { what: "the same while a browser shows its page", promise: `≤ ${PROMISED.live} × one without` },
	opened: {
		what: `recording page with ${MANY_LINES.toLocaleString("en")} lines of log: navigation to its lines and a frame`,
		promise: `≤ ${PROMISED.opened} × one with ${FEW_LINES}`,
	},
	clip: {
		what: `clip of ${CLIP.to - CLIP.from} s out of ${HOURS} hours, copied`,
		promise: `p99 ≤ ${PROMISED.clipMs / 1_000} s`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const dashboard = await startTestDashboard({ variables: { TAPEDECK_METRICS_TOKEN: METRICS_TOKEN } });
	const { page, close } = await openBrowser(dashboard);
	try {
		const pieces = join(folder, "pieces.mp4");
		await makePieces(pieces, VIDEO_SECONDS);
		const live = await watchLive(dashboard, page, pieces);
		const runner = await scriptRunner(dashboard, "bench");
		try {
			const video = await readFile(pieces);
			const opened = await openPages(dashboard, page, runner, video);
			return { ...live, opened, clip: await requestClips(dashboard, runner, video) };
		} finally {
			await runner.stop();
		}
	} finally {
		await close();
		await dashboard.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** One recording, with tracks and without, and each of both with a browser that shows its page and without. */
async function watchLive(dashboard: Dashboard, page: Page, pieces: string): Promise<{ live: Result; watched: Result }> {
	const { runnerToken, apiKey, api } = dashboard;
	const server = { pid: dashboard.pid(), port: Number(new URL(dashboard.url).port) };
	const load = startLoad({ port: server.port, runnerToken, apiKey, pieces });
	try {
		await load.ask("runners", { count: 1 });
		const shares = { without: [], withoutWatched: [], beside: [], besideWatched: [] } as Record<string, number[]>;
		for (let round = 0; round < ROUNDS; round += 1) {
			// A new one, whose page has no tracks yet.
			await load.ask("record", { count: round + 1 });
			const [job] = (await api.call<{ data: Job[] }>("GET", "/v1/jobs?limit=1")).data;
			if (job === undefined) throw new Error("no job was created");
			const measure = async (name: string) => {
				await sleep(SETTLE_MS);
				shares[name]?.push(shareOf(await watch({ server, load }, WINDOW_MS)));
				await page.goto(`/jobs/${job.id}`);
				await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0);
				await sleep(SETTLE_MS);
				shares[`${name}Watched`]?.push(shareOf(await watch({ server, load }, WINDOW_MS)));
				await page.goto("about:blank");
			};
			await measure("without");
			await load.ask("tracks", { jobId: job.id, names: TRACKS, linesPerSecond: LINES_PER_SECOND });
			await measure("beside");
			const { lines: written } = await load.ask("endTracks", {});
			const { data } = await api.call<TrackList>("GET", `/v1/jobs/${job.id}/tracks`);
			const stored = data.reduce((sum, { lines }) => sum + lines, 0);
			if (stored === 0 || stored !== written) throw new Error(`${stored} of ${written} lines were stored`);
			await api.cancelJob(job.id);
			await api.waitFor(job.id, "ended");
		}
		return {
			live: compared(shares.beside, shares.without),
			watched: compared(shares.besideWatched, shares.withoutWatched),
		};
	} finally {
		await load.stop();
	}
}

/** What the recording costs with tracks and without, as shares of a core. */
function compared(beside: readonly number[] = [], without: readonly number[] = []): Result {
	const ratio = median(beside) / median(without);
	const percent = (share: number) => `${(share * 100).toFixed(1)} % of a core`;
	return {
		values: [...beside, ...without],
		measured: percent(median(beside)),
		against: `${ratio.toFixed(1)} × ${percent(median(without))} without`,
		holds: ratio <= PROMISED.live,
	};
}

/** The pages of two recordings in turn, because the machine's speed varies more than they differ. */
async function openPages(dashboard: Dashboard, page: Page, runner: ScriptedRunner, video: Buffer): Promise<Result> {
	const record = (lines: number) =>
		runner.recordWhole(`log of ${lines}`, video, VIDEO_SECONDS * 1_000, async (jobId) => {
			const startedAt = Date.parse((await dashboard.api.readJob(jobId)).startedAt ?? "");
			const { body } = await runner.sendTrack(jobId, "log", ndjsonOf(lines, startedAt, VIDEO_SECONDS * 1_000));
			if (body.lines !== lines) throw new Error(`the lines were answered ${JSON.stringify(body)}`);
		});
	const [few, many] = [await record(FEW_LINES), await record(MANY_LINES)];
	// What every page loads is in the browser's cache.
	await open(page, few);
	const times: Record<"few" | "many", number[]> = { few: [], many: [] };
	for (let index = 0; index < OPENED; index += 1) {
		times.few.push(await open(page, few));
		times.many.push(await open(page, many));
	}
	const ratio = median(times.many) / median(times.few);
	return {
		values: [...times.many, ...times.few],
		measured: `p50 ${ms(median(times.many))} of ${OPENED}`,
		against: `${ratio.toFixed(2)} × ${ms(median(times.few))} with ${FEW_LINES}`,
		holds: ratio <= PROMISED.opened,
	};
}

/** @returns milliseconds from the navigation until lines and a frame of the video are there. */
async function open(page: Page, recordingId: number): Promise<number> {
	await page.goto("about:blank");
	const from = performance.now();
	await page.goto(`/recordings/${recordingId}`, { waitUntil: "commit" });
	await page.getByRole("listbox", { name: "Log", exact: true }).getByRole("option").first().waitFor();
	await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);
	return performance.now() - from;
}

/** In turn with as many bytes of the same recording by Range. */
async function requestClips({ url, apiKey }: Dashboard, runner: ScriptedRunner, part: Buffer): Promise<Result> {
	const seconds = HOURS * 3_600;
	const parts = Array.from({ length: seconds / VIDEO_SECONDS }, (_, index) =>
		movedFragments(part, index * VIDEO_SECONDS, index * VIDEO_SECONDS * 10 + 1),
	);
	const video = Buffer.concat([initOf(part), ...parts.flat()]);
	const id = await runner.recordWhole(`${HOURS} hours`, video, seconds * 1_000);
	const get = async (path: string, headers: Record<string, string> = {}) => {
		const startedAt = performance.now();
		const answer = await fetch(`${url}/v1/recordings/${id}/${path}`, {
			headers: { authorization: `Bearer ${apiKey}`, ...headers },
		});
		const { byteLength: bytes } = await answer.arrayBuffer();
		if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
		return { ms: performance.now() - startedAt, bytes, clip: answer.headers.get("tapedeck-clip") };
	};
	const times: Record<"clip" | "range", number[]> = { clip: [], range: [] };
	for (let index = 0; index <= CLIPS; index += 1) {
		const clip = await get(`clip?from=${CLIP.from}&to=${CLIP.to}`);
		if (clip.clip !== `${CLIP.from}.000-${CLIP.to}.000`) throw new Error(`the clip is of ${clip.clip}`);
		const middle = Math.floor(video.length / 2);
		const range = await get("video", { range: `bytes=${middle}-${middle + clip.bytes - 1}` });
		// The first one warms both up.
		if (index === 0) continue;
		times.clip.push(clip.ms);
		times.range.push(range.ms);
	}
	return {
		...p99Under(PROMISED.clipMs, times.clip),
		against: `${p50p99(times.range)} for as many bytes of the video by Range`,
	};
}
