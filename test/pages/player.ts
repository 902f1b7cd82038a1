/** Helpers for pages with a player. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { expect } from "playwright/test";
import type { Dashboard } from "../stack.ts";

export const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);

/** Uploads a file as a video that was made elsewhere. @returns its id. */
export async function uploadVideo({ url, apiKey }: Dashboard, path: string, name: string): Promise<number> {
	const answer = await fetch(`${url}/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "video/mp4" },
		body: new Uint8Array(await readFile(path)),
	});
	expect(answer.status).toBe(201);
	return (await answer.json()).id;
}

const HAVE_CURRENT_DATA = 2;

/** Opens a recording's page, at a second of its video. @returns the video, which shows a frame. */
export async function openAt(page: Page, id: number, seconds?: number): Promise<Locator> {
	await page.goto(`/recordings/${id}${seconds === undefined ? "" : `?t=${seconds}`}`);
	const video = page.locator("video");
	await expect
		.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
		.toBeGreaterThanOrEqual(HAVE_CURRENT_DATA);
	return video;
}
