/**
 * `import { test, expect } from "@tapedeck/playwright"`: Playwright's own `test`, whose recording also has what browsers log
 * and which calls failed. Without a recording, it is Playwright's.
 */

import { displayEnvironment } from "@tapedeck/client";
import {
	type BrowserType,
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
import { appendTo, type BrowserLine, lineWriter } from "./browser-lines.ts";
import { filmMaker } from "./film-server.ts";
import { opens } from "./open-display.ts";
import { videoInPlaceOfDisplay } from "./own-video.ts";
import { displayOfWorker, linesOfWorker, type WorkerDisplay } from "./worker-displays.ts";

export interface TapedeckTestOptions {
	/** Calls that take longer than so many milliseconds are recorded, also if they succeed; default 1000. */
	tapedeckSlowRequestMs: number;
}

export interface TapedeckWorkerOptions {
	/**
	 * Browsers are shown on a virtual display of their worker. With `worker`, it is one recording with all tabs, popups and dialogs;
	 * with `test`, each attempt of a test is one. Only in `use` of the configuration, where the reporter finds it.
	 */
	tapedeckDisplay: "worker" | "test" | undefined;
}

interface TapedeckFixtures {
	_tapedeckFilm: ((line: BrowserLine) => void) | undefined;
	_tapedeck: undefined;
}

interface TapedeckWorkerFixtures {
	/** The virtual display of this worker; null if it has none. */
	_tapedeckDisplay: WorkerDisplay | null;
}

const films = filmMaker(process.env);
const writeLine = lineWriter(linesOfWorker(process.env)) ?? (films === null ? null : () => undefined);
const events = writeLine === null ? null : new BrowserEvents(writeLine);

/** For a `test` that has fixtures of its own: `yours.extend(tapedeck)`, or `mergeTests(yours, test)`. */
export const tapedeck: Fixtures<
	TapedeckTestOptions & TapedeckFixtures,
	TapedeckWorkerOptions & TapedeckWorkerFixtures,
	PlaywrightTestArgs & PlaywrightTestOptions,
	PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = {
	tapedeckSlowRequestMs: [1_000, { option: true }],
	tapedeckDisplay: [undefined, { option: true, scope: "worker" }],
	// Its time does not count in that of the test.
	_tapedeckDisplay: [
		async ({ tapedeckDisplay, browserName, playwright }, use) => {
			const display = await displayFor(tapedeckDisplay);
			const why = display === null ? null : await whyNotShown(display, playwright[browserName]);
			if (why !== null) console.warn(`tapedeck: ${why} The browsers of this worker are not on its display.`);
			await use(why === null ? display : null);
		},
		{ scope: "worker", box: true, timeout: 0 },
	],
	headless: [
		({ headless, _tapedeckDisplay: display }, use) => use(display === null ? headless : false),
		{ scope: "worker", box: true },
	],
	launchOptions: [
		({ launchOptions, browserName, _tapedeckDisplay: display }, use) =>
			use(display === null ? launchOptions : shownOn(display, launchOptions, browserName)),
		{ scope: "worker", box: true },
	],
	video: [
		({ video, tapedeckDisplay }, use) =>
			use(tapedeckDisplay === undefined ? video : videoInPlaceOfDisplay(video, process.env)),
		{ scope: "worker", box: true },
	],
	// Holds the test back until the first frame of its recording.
	_tapedeckFilm: [
		async ({ _tapedeckDisplay: display, tapedeckDisplay }, use, testInfo) =>
			use(tapedeckDisplay === "test" && display !== null ? await beginFilm(testInfo) : undefined),
		{ auto: true, box: true, timeout: 0 },
	],
	// Begins before the contexts of the test, and ends after them.
	_tapedeck: [
		async ({ tapedeckSlowRequestMs, _tapedeckFilm: writeLine }, use, testInfo) => {
			events?.begin(nameOf(testInfo), tapedeckSlowRequestMs, writeLine);
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

export const test = base.extend<TapedeckTestOptions & TapedeckFixtures, TapedeckWorkerOptions & TapedeckWorkerFixtures>(
	tapedeck,
);

/** @returns null, after the reporter's warning, if there is none. */
async function displayFor(tapedeckDisplay: TapedeckWorkerOptions["tapedeckDisplay"]): Promise<WorkerDisplay | null> {
	if (tapedeckDisplay === "worker") return displayOfWorker(process.env);
	if (tapedeckDisplay !== "test" || films === null) return null;
	return films.display(Number(process.env.TEST_PARALLEL_INDEX)).then(
		(display) => ({ ...display, lines: undefined }),
		() => null,
	);
}

/** @returns a sentence; null if browsers can be shown on the display. */
async function whyNotShown({ id }: WorkerDisplay, browserType: BrowserType): Promise<string | null> {
	if (!(await opens(id))) return `The display ${id} has ended.`;
	// WebKit needs libraries of the desktop only if it has a window.
	if (browserType.name() !== "webkit") return null;
	try {
		const browser = await browserType.launch({ headless: false, env: displayEnvironment(id, process.env) });
		await browser.close();
		return null;
	} catch (error) {
		const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
		return `WebKit cannot be shown (${reason.replace(/^browserType\.launch: |\.$/g, "")}).`;
	}
}

/** @returns what takes the lines of its browsers; undefined, after the reporter's warning, if there is no recording. */
async function beginFilm(testInfo: TestInfo): Promise<((line: BrowserLine) => void) | undefined> {
	const { testId, retry, parallelIndex } = testInfo;
	const order = { key: `${testId}#${retry}`, name: nameOf(testInfo), index: parallelIndex };
	const lines = await films?.film(order).then(
		({ lines }) => lines,
		() => undefined,
	);
	return lines === undefined ? () => undefined : appendTo(lines);
}

const OZONE = /^--ozone-platform(-hint)?=/;

/** Windows fill the display: there is no window manager that would place them. */
function shownOn(
	{ id, width, height }: WorkerDisplay,
	options: LaunchOptions,
	browserName: PlaywrightWorkerOptions["browserName"],
): LaunchOptions {
	const window = browserName === "chromium" ? ["--window-position=0,0", `--window-size=${width},${height}`] : [];
	// Otherwise, Chromium may show itself in a Wayland session.
	const platform = browserName === "chromium" ? ["--ozone-platform=x11"] : [];
	return {
		...options,
		headless: false,
		args: [...window, ...(options.args ?? []).filter((arg) => !OZONE.test(arg)), ...platform],
		env: displayEnvironment(id, { ...process.env, ...options.env }),
	};
}

/** `checkout.spec.ts › Checkout › pays [chromium] (attempt 2)` */
function nameOf({ titlePath, project, retry }: TestInfo): string {
	return (
		titlePath.join(" › ") + (project.name ? ` [${project.name}]` : "") + (retry === 0 ? "" : ` (attempt ${retry + 1})`)
	);
}
