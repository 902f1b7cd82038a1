/** Playwright's own video of each page, for workers that get no display. Their processes learn of it by a variable. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { PlaywrightWorkerOptions } from "playwright/test";

const VARIABLE = "TAPEDECK_PLAYWRIGHT_VIDEO";

type Video = PlaywrightWorkerOptions["video"];

/**
 * In the process of the reporter: the tests of this run keep videos.
 * @returns whether they can: videos need an ffmpeg that Playwright installs with its browsers, and fail the test without it.
 */
export function announceVideos(env: NodeJS.ProcessEnv): boolean {
	if (!existsSync(ffmpegFolder(env))) return false;
	process.env[VARIABLE] = "on";
	return true;
}

export function withdrawVideos(): void {
	delete process.env[VARIABLE];
}

/** In the process of a test: its option `video`. What the configuration says is kept, unless it is off. */
export function videoInPlaceOfDisplay(video: Video, env: NodeJS.ProcessEnv): Video {
	const mode = typeof video === "object" ? video.mode : video;
	if (env[VARIABLE] === undefined || (mode !== undefined && mode !== "off")) return video;
	return typeof video === "object" ? { ...video, mode: "on" } : "on";
}

/** The path at which the installed version of Playwright looks for its ffmpeg. */
function ffmpegFolder({ PLAYWRIGHT_BROWSERS_PATH: chosen, XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
	const require = createRequire(createRequire(import.meta.url).resolve("playwright/package.json"));
	const core = dirname(require.resolve("playwright-core/package.json"));
	const listed: { browsers: { name: string; revision: string }[] } = JSON.parse(
		readFileSync(join(core, "browsers.json"), "utf8"),
	);
	const cache =
		process.platform === "win32"
			? LOCALAPPDATA || join(homedir(), "AppData", "Local")
			: process.platform === "darwin"
				? join(homedir(), "Library", "Caches")
				: XDG_CACHE_HOME || join(homedir(), ".cache");
	const folder = chosen === "0" ? join(core, ".local-browsers") : chosen || join(cache, "ms-playwright");
	return join(folder, `ffmpeg-${listed.browsers.find(({ name }) => name === "ffmpeg")?.revision}`);
}
