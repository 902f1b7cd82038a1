/** The page that compares two videos. */
import type { Page } from "playwright/test";

/** @returns the positions of the videos, in seconds. */
export const positions = (page: Page): Promise<number[]> =>
	page.locator("video").evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).currentTime));

/** @returns whether both videos can be played. */
export const areLoaded = (page: Page): Promise<boolean> =>
	page
		.locator("video")
		.evaluateAll(
			(videos) => videos.length === 2 && videos.every((video) => (video as HTMLVideoElement).readyState >= 3),
		);
