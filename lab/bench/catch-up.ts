/** Measures the time from a network's return until the dashboard has every byte that was captured until then. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startXvfb } from "#test/displays/xvfb.ts";
import { interrupt, openScene } from "#test/runners/fault-scene.ts";
import { startTcpProxy } from "#test/servers/tcp-proxy.ts";
import { median, p99Under, type Results } from "./figures.ts";
import { QUICK, samples } from "./samples.ts";

const CUTS = samples(10);
const CUT_MS = QUICK ? 3_000 : 10_000;
const BETWEEN_MS = 3_000;
const GIVEN_UP_MS = 60_000;
/** Attempts are at most 4 s apart. */
const PROMISED_MS = 5_000;

/** Connections are refused; connections are open and nothing passes. */
const FAULTS = ["drop", "stall"] as const;

export const figures = {
	lag: {
		what: `end of a network outage of ${CUT_MS / 1_000} s to everything uploaded`,
		promise: `p99 < ${PROMISED_MS} ms`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const scene = await openScene();
	const network = await startTcpProxy(scene.dashboard.url);
	const display = await startXvfb({ width: 1280, height: 720 });
	try {
		await display.move();
		const runner = await scene.addRunner("far away", { url: network.url });
		const { api } = scene.dashboard;
		const { id } = await api.createJob({ runnerId: runner.id, displayId: display.id, ...interrupt });
		await api.waitFor(id, "recording");
		const captured = sizeOf(join(runner.dataDir, "jobs", `job-${id}`, "part-1.mp4"));
		const stored = await storedBytes(join(scene.dashboard.dataDir, "videos"));
		const lags: number[] = [];
		const backlogs: number[] = [];
		for (const fault of FAULTS) {
			for (let index = 0; index < CUTS; index += 1) {
				await sleep(BETWEEN_MS);
				network[fault]();
				// Another place in the pauses between attempts each time.
				await sleep(CUT_MS + ((index * 379) % 1_000));
				network.resume();
				const backAt = performance.now();
				const wanted = await captured();
				backlogs.push(wanted - (await stored()));
				while ((await stored()) < wanted) {
					if (performance.now() - backAt > GIVEN_UP_MS)
						throw new Error(`not caught up ${GIVEN_UP_MS} ms after a ${fault}`);
					await sleep(5);
				}
				lags.push(performance.now() - backAt);
			}
		}
		await api.cancelJob(id);
		await api.waitFor(id, "playable");
		const against = `${(median(backlogs) / 1e6).toFixed(1)} MB waiting, a moving 1280×720 display`;
		return { lag: { ...p99Under(PROMISED_MS, lags), against } };
	} finally {
		await scene.stop();
		await display.stop();
		await network.stop();
	}
}

const sizeOf = (path: string) => async (): Promise<number> => (await stat(path)).size;

/** Waits for the only video that the dashboard has. @returns how to read its size. */
async function storedBytes(folder: string): Promise<() => Promise<number>> {
	const until = performance.now() + GIVEN_UP_MS;
	while (performance.now() < until) {
		// Files that belong to a video have an extension; the video has none.
		const [video] = (await readdir(folder).catch(() => [])).filter((name) => !name.includes("."));
		if (video !== undefined) return sizeOf(join(folder, video));
		await sleep(20);
	}
	throw new Error("no video arrived at the dashboard");
}
