/** What the runner costs beside the ffmpeg that it runs. */
import { setTimeout as sleep } from "node:timers/promises";
import { startStack } from "#e2e/fixtures/stack.ts";
import { startXvfb } from "#e2e/fixtures/xvfb.ts";
import type { Figure } from "./figures.ts";
import { cpuSeconds, findProcesses, peakMegabytes } from "./processes.ts";

const SETTLE_MS = 4_000;
const WINDOW_MS = 30_000;
const PROMISED_SHARE = 0.1;
const PROMISED_MEGABYTES = 120;

export async function run(): Promise<Figure[]> {
	const stack = await startStack();
	const display = await startXvfb({ width: 1280, height: 720 });
	try {
		await display.move();
		const [runner] = findProcesses("runner/cli.ts", stack.dataDir, stack.runnerToken);
		if (runner === undefined) throw new Error("the runner's process was not found");
		const { id } = await stack.api.createJob({
			runnerId: stack.runnerId,
			displayId: display.id,
			name: "cost",
			stopCondition: "interrupt",
		});
		await stack.api.waitFor(id, "recording");
		await sleep(SETTLE_MS);
		const [ffmpeg] = findProcesses("x11grab", stack.dataDir);
		if (ffmpeg === undefined) throw new Error("the ffmpeg process was not found");
		const before = [cpuSeconds(runner), cpuSeconds(ffmpeg)] as const;
		await sleep(WINDOW_MS);
		const own = cpuSeconds(runner) - before[0];
		const encoder = cpuSeconds(ffmpeg) - before[1];
		const peak = peakMegabytes(runner);
		await stack.api.cancelJob(id);
		await stack.api.waitFor(id, "playable");
		const percent = (seconds: number) => `${((seconds / WINDOW_MS) * 100_000).toFixed(1)} %`;
		return [
			{
				what: "processor time of the runner while it records a moving 1280×720 picture",
				measured: `${percent(own)} of a core, ${(own / encoder).toFixed(3)} of it`,
				against: `its ffmpeg, ${percent(encoder)} of a core`,
				promise: `< ${PROMISED_SHARE}`,
				holds: own / encoder < PROMISED_SHARE,
			},
			{
				what: "memory of the runner",
				measured: `${Math.round(peak)} MB at most`,
				against: "–",
				promise: `< ${PROMISED_MEGABYTES} MB`,
				holds: peak < PROMISED_MEGABYTES,
			},
		];
	} finally {
		await display.stop();
		await stack.stop();
	}
}
