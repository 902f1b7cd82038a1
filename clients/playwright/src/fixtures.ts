/**
 * `import { test, expect } from "@tapedeck/playwright"`: Playwright's own `test`, whose recording also has what browsers log
 * and which calls failed. Without a recording, it is Playwright's.
 */
import {
	test as base,
	type Fixtures,
	type LaunchOptions,
	type PlaywrightTestArgs,
	type PlaywrightTestOptions,
	type PlaywrightWorkerArgs,
	type PlaywrightWorkerOptions,
	type TestInfo,
} from "playwright/test";
import { BrowserEvents } from "./browser-events.ts";
import { lineWriter } from "./browser-lines.ts";
import { videoInPlaceOfDisplay } from "./own-video.ts";
import { displayOfWorker, linesOfWorker, type WorkerDisplay } from "./worker-displays.ts";

export interface TapedeckTestOptions {
	/** Calls that take longer than so many milliseconds are recorded, also if they succeed; default 1000. */
	tapedeckSlowRequestMs: number;
}

export interface TapedeckWorkerOptions {
	/**
	 * `worker`: browsers are shown on a virtual display of their worker, which is one recording with all tabs, popups and
	 * dialogs. Only in `use` of the configuration, where the reporter finds it.
	 */
	tapedeckDisplay: "worker" | undefined;
}

interface TapedeckFixtures {
	_tapedeck: undefined;
}

const display = displayOfWorker(process.env);
const writeLine = lineWriter(linesOfWorker(process.env));
const events = writeLine === null ? null : new BrowserEvents(writeLine);

/** For a `test` that has fixtures of its own: `yours.extend(tapedeck)`, or `mergeTests(yours, test)`. */
export const tapedeck: Fixtures<
	TapedeckTestOptions & TapedeckFixtures,
	TapedeckWorkerOptions,
	PlaywrightTestArgs & PlaywrightTestOptions,
	PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = {
	tapedeckSlowRequestMs: [1_000, { option: true }],
	tapedeckDisplay: [undefined, { option: true, scope: "worker" }],
	headless: [
		({ headless, tapedeckDisplay }, use) => use(tapedeckDisplay === "worker" && display !== null ? false : headless),
		{ scope: "worker", box: true },
	],
	launchOptions: [
		({ launchOptions, browserName, tapedeckDisplay }, use) =>
			use(
				tapedeckDisplay === "worker" && display !== null ? shownOn(display, launchOptions, browserName) : launchOptions,
			),
		{ scope: "worker", box: true },
	],
	video: [
		({ video, tapedeckDisplay }, use) =>
			use(tapedeckDisplay === "worker" ? videoInPlaceOfDisplay(video, process.env) : video),
		{ scope: "worker", box: true },
	],
	// Begins before the contexts of the test, and ends after them.
	_tapedeck: [
		async ({ tapedeckSlowRequestMs }, use, testInfo) => {
			events?.begin(nameOf(testInfo), tapedeckSlowRequestMs);
			await use(undefined);
			events?.begin(null, tapedeckSlowRequestMs);
		},
		{ auto: true, box: true },
	],
	browser: [
		async ({ browser }, use) => {
			events?.watchBrowser(browser);
			await use(browser);
		},
		{ scope: "worker", box: true },
	],
	context: [
		async ({ context }, use) => {
			events?.watchContext(context);
			await use(context);
		},
		// Not `box` alone, which earlier versions of Playwright do not know.
		{ scope: "test", box: true },
	],
	// A test may have replaced its context by one of another browser, such as one with a profile.
	page: [
		async ({ page }, use) => {
			events?.watchContext(page.context());
			await use(page);
		},
		{ scope: "test", box: true },
	],
};

export const test = base.extend<TapedeckTestOptions & TapedeckFixtures, TapedeckWorkerOptions>(tapedeck);

/** Windows fill the display: there is no window manager that would place them. */
function shownOn(
	{ id, width, height }: WorkerDisplay,
	options: LaunchOptions,
	browserName: PlaywrightWorkerOptions["browserName"],
): LaunchOptions {
	const window = browserName === "chromium" ? ["--window-position=0,0", `--window-size=${width},${height}`] : [];
	return {
		...options,
		headless: false,
		args: [...window, ...(options.args ?? [])],
		env: { ...process.env, ...options.env, DISPLAY: id },
	};
}

/** `checkout.spec.ts › Checkout › pays [chromium] (attempt 2)` */
function nameOf({ titlePath, project, retry }: TestInfo): string {
	return (
		titlePath.join(" › ") + (project.name ? ` [${project.name}]` : "") + (retry === 0 ? "" : ` (attempt ${retry + 1})`)
	);
}
