/** Glass to glass: a display turns white, and the live picture in the browser turns white. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { startXvfb } from "#test/displays/xvfb.ts";
import { startStack } from "#test/stack.ts";
import { openBrowser } from "./browser.ts";
import { p99Under, type Results } from "./figures.ts";
import { samples } from "./samples.ts";
import { openFlash } from "./x-flash.ts";

const FLASHES = samples(100);
const PROMISED_MS = 1_500;

export const figures = {
	lag: { what: "live view: screen to browser", promise: `p99 < ${PROMISED_MS} ms` },
};

export async function run(): Promise<Results<typeof figures>> {
	const stack = await startStack();
	const display = await startXvfb({ width: 1280, height: 720 });
	const { page, close } = await openBrowser(stack);
	const flash = await openFlash(display.number);
	try {
		flash.paint(false);
		const { id } = await stack.api.createJob({
			runnerId: stack.runnerId,
			displayId: display.id,
			name: "live",
			stopCondition: "interrupt",
		});
		await stack.api.waitFor(id, "recording");
		await page.goto(`/jobs/${id}`);
		await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 1);
		await watch(page);
		const lags: number[] = [];
		for (let index = 0; index < FLASHES; index += 1) {
			// A different phase of the fragments each time.
			await sleep(300 + ((index * 137) % 500));
			const white = index % 2 === 0;
			const paintedAt = Date.now();
			flash.paint(white);
			lags.push((await seen(page, white)) - paintedAt);
		}
		await stack.api.cancelJob(id);
		await stack.api.waitFor(id, "ended");
		return { lag: p99Under(PROMISED_MS, lags) };
	} finally {
		flash.close();
		await close();
		await display.stop();
		await stack.stop();
	}
}

/** Notes whether the picture is white, and since when; looks every 10 ms. */
function watch(page: Page): Promise<void> {
	return page.evaluate(() => {
		const video = document.querySelector("video") as HTMLVideoElement;
		const canvas = document.createElement("canvas");
		canvas.width = 1;
		canvas.height = 1;
		const paper = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
		const state = { white: false, since: Date.now() };
		(window as unknown as { flash: typeof state }).flash = state;
		const look = () => {
			// Not the middle of the picture, because the mouse pointer is there.
			paper.drawImage(video, video.videoWidth / 4, video.videoHeight / 4, 1, 1, 0, 0, 1, 1);
			const white = (paper.getImageData(0, 0, 1, 1).data[0] ?? 0) > 128;
			if (white !== state.white) Object.assign(state, { white, since: Date.now() });
		};
		setInterval(look, 10);
	});
}

/** @returns when the browser first showed that colour, milliseconds since 1970. */
async function seen(page: Page, white: boolean): Promise<number> {
	type Flash = { flash: { white: boolean; since: number } };
	await page.waitForFunction((wanted) => (window as unknown as Flash).flash.white === wanted, white, {
		polling: 20,
		timeout: 20_000,
	});
	return page.evaluate(() => (window as unknown as Flash).flash.since);
}
