/** Measures the time from a stop to a video that a browser can play: 20 recordings of 10 s, and one of 10 minutes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { type Stack, startStack } from "#test/stack.ts";
import { openBrowser } from "./browser.ts";
import { ms, p99Under, type Results } from "./figures.ts";
import { QUICK, samples } from "./samples.ts";

const RECORDINGS = samples(20);
const SHORT_MS = 10_000;
const LONG_MS = QUICK ? 15_000 : 600_000;
/** The interval between the starts of the short recordings: three or four run at once. */
const APART_MS = 3_000;
const PROMISED_MS = 1_000;

export const figures = {
	short: {
		what: `stop to playable in a browser, recordings of ${SHORT_MS / 1_000} s`,
		promise: `p99 < ${PROMISED_MS} ms`,
	},
	long: {
		what: `stop to playable in a browser, recording of ${LONG_MS / 60_000} minutes`,
		promise: `< ${PROMISED_MS} ms`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const stack = await startStack();
	const { page, close } = await openBrowser(stack);
	try {
		const long = await record(stack, "ten minutes");
		const longStartedAt = performance.now();
		const running = Array.from({ length: RECORDINGS }, async (_, index) => {
			await sleep(index * APART_MS);
			const id = await record(stack, `short ${index}`);
			await sleep(SHORT_MS);
			return stopToPlayable(page, id);
		});
		const short = await Promise.all(running);
		await sleep(LONG_MS - (performance.now() - longStartedAt));
		const tenMinutes = await stopToPlayable(page, long);
		return {
			short: p99Under(PROMISED_MS, short),
			long: { ...p99Under(PROMISED_MS, [tenMinutes]), measured: ms(tenMinutes) },
		};
	} finally {
		await close();
		await stack.stop();
	}
}

async function record(stack: Stack, name: string): Promise<number> {
	const { id } = await stack.api.createJob({
		runnerId: stack.runnerId,
		displayId: stack.displayId,
		name,
		stopCondition: "interrupt",
	});
	await stack.api.waitFor(id, "recording");
	return id;
}

/** @returns milliseconds from the cancel's answer until the browser has the first picture of the finished video. */
function stopToPlayable(page: Page, jobId: number): Promise<number> {
	return page.evaluate(async (id) => {
		const cancelled = await fetch(`/v1/jobs/${id}/cancel`, { method: "POST" });
		if (cancelled.status !== 202) throw new Error(`the cancel was answered ${cancelled.status}`);
		const stoppedAt = performance.now();
		const job = await (await fetch(`/v1/jobs/${id}?waitFor=playable&timeoutSeconds=60`)).json();
		const video = document.createElement("video");
		video.muted = true;
		await new Promise((resolve, reject) => {
			video.oncanplay = resolve;
			video.onerror = () => reject(new Error(video.error?.message));
			video.src = `/v1/recordings/${job.recording.id}/video`;
		});
		const tookMs = performance.now() - stoppedAt;
		if (Math.abs(video.duration - job.recording.durationSeconds) > 0.5)
			throw new Error(`the video lasts ${video.duration} s`);
		video.removeAttribute("src");
		video.load();
		return tookMs;
	}, jobId);
}
