/** The titles of the active window: real displays and windows, and the titles in the spool and in the dashboard. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openWindow, setActiveWindow, type TestWindow } from "../../test/displays/x-window.ts";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { pause, until } from "../../test/wait.ts";
import { silentLog } from "../base/log.ts";
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { Displays } from "../displays/displays.ts";
import { trackFile } from "../spool/track-files.ts";
import { recordWindows, titleText } from "./window-titles.ts";

interface Line {
	at: string;
	text: string;
	data: { window: string | null };
}

const scene = runnerScene({ display: null });
const MASK = new SecretMask({ SHOP_TOKEN: "tok-0123456789" });
const linesIn = (text: string): Line[] =>
	text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
const textsOf = (lines: readonly Line[]) => lines.map(({ text }) => text);

let display: VirtualDisplay;
let open: TestWindow[] = [];
beforeEach(async () => {
	display = await startXvfb();
	open = [];
});
afterEach(async () => {
	for (const window of open) await window.close();
	await display.stop();
});

async function opened(title: string): Promise<TestWindow> {
	const window = await openWindow(display, { title, color: 0xff0000, x: 40, y: 30, width: 200, height: 120 });
	open.push(window);
	return window;
}

/** Records the titles of the display, as a runner does. */
async function recording({ firstFrameAt = null as number | null } = {}) {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-windows-"));
	const displays = new Displays(null, "/nonexistent", silentLog, AllowedDisplays.of([display.id]));
	await displays.start();
	const hidden = { now: false };
	let over = new AbortController();
	const begin = () => {
		over = new AbortController();
		const watched = { requests: () => displays.requests(display.id), isHidden: () => hidden.now };
		return recordWindows(folder, { display: watched, mask: MASK, firstFrameAt }, over.signal);
	};
	let recorded = begin();
	const end = async () => {
		over.abort();
		await recorded;
	};
	onTestFinished(async () => {
		await end();
		displays.close();
		await rm(folder, { recursive: true });
	});
	const lines = async () => linesIn(await readFile(trackFile(folder, "windows"), "utf8").catch(() => ""));
	return {
		...{ folder, hidden, end, lines },
		/** Continues like a restarted runner. */
		restart: async () => {
			await end();
			recorded = begin();
		},
		/** Waits until the last line has this text. */
		until: (text: string) =>
			until(async () => {
				const read = await lines();
				return read.at(-1)?.text === text ? read : null;
			}, `a line "${text}"`),
	};
}

test("the first line is that of the first frame, and each change of the title or the window is one at its time", async () => {
	const shop = await opened("The Shop");
	// However long the first look takes.
	const firstFrameAt = Date.now() + 60_000;
	const record = await recording({ firstFrameAt });
	const [first] = await record.until("The Shop");
	expect(first).toEqual({
		at: new Date(firstFrameAt).toISOString(),
		text: "The Shop",
		data: { window: shop.id },
	});
	let changedAt = Date.now();
	const isFrom = (line: Line | undefined) => {
		const at = Date.parse(line?.at ?? "");
		expect(at).toBeGreaterThanOrEqual(changedAt);
		expect(at).toBeLessThanOrEqual(Date.now());
	};
	shop.setTitle("The Shop – Größe 漢");
	isFrom((await record.until("The Shop – Größe 漢")).at(-1));

	// Another window of the same title, in front of it.
	changedAt = Date.now();
	const second = await opened("The Shop – Größe 漢");
	const lines = await until(async () => {
		const read = await record.lines();
		return read.length === 3 ? read : null;
	}, "a line of another window");
	expect(lines[2]).toMatchObject({ text: "The Shop – Größe 漢", data: { window: second.id } });
	isFrom(lines[2]);

	await second.close();
	await until(async () => (await record.lines()).length === 4, "the first window is in front again");
	await shop.close();
	expect((await record.until("(no window)")).map(({ data }) => data.window)).toEqual([
		...[shop.id, shop.id, second.id, shop.id, null],
	]);
});

inExplore(test)(
	"a window manager says which window is active; without one, the focus does, also of a window without a title inside",
	async () => {
		const [editor, browser] = [await opened("Editor"), await opened("Browser")];
		const top = await opened("In front");
		const record = await recording();
		await record.until("In front");
		editor.focus();
		await record.until("Editor");
		browser.focus("inside");
		await record.until("Browser");
		await setActiveWindow(display, editor.id);
		await record.until("Editor");
		// The state that a window manager leaves when it has ended.
		await editor.close();
		await record.until("Browser");
		await browser.close();
		expect((await record.until("In front")).at(-1)?.data.window).toBe(top.id);
	},
);

inExplore(test)(
	"a display without a title has no track, and one that is gone or hangs ends it without a line",
	async () => {
		const record = await recording();
		await pause(1_500);
		expect(await readdir(record.folder)).toEqual([]);
		const window = await opened("Late");
		await record.until("Late");
		display.pause();
		await pause(1_500);
		await record.end();
		display.resume();
		await record.restart();
		await display.kill();
		await pause(1_500);
		expect(textsOf(await record.lines())).toEqual(["Late"]);
		await window.close();
	},
);

inExplore(test)(
	"a restarted runner goes on without repeating a line, and ends a chapter that it has not begun",
	async () => {
		await opened("The Shop");
		const record = await recording();
		await record.until("The Shop");
		await record.restart();
		await pause(1_500);
		expect(textsOf(await record.lines())).toEqual(["The Shop"]);
		await record.end();
		record.hidden.now = true;
		await record.restart();
		await record.until("(private)");
	},
);

test("titles are on one line, without secrets and of a limited length, also where they were cut off within a secret", () => {
	const short = (text: string) => titleText({ text, isCut: false }, MASK);
	expect(short(" a\u0000b\n\u001b[31mc\u2028\t")).toBe("a b  [31mc");
	expect(short("\u200b \u0007")).toBe("");
	expect(short("Shop tok-0123456789")).toBe("Shop ***");
	expect(short("http://me:hidden-1@shop.example/?access_token=hidden-2&page=2 - Browser")).toBe(
		"http://me:***@shop.example/?access_token=***&page=2 - Browser",
	);
	expect(short(`${"x".repeat(250)}tok-0123456789`)).toBe(`${"x".repeat(250)}***`);
	expect(short("🎬".repeat(1_000))).toBe("🎬".repeat(128));
	expect(titleText({ text: `${"x".repeat(200)}tok-01234567`, isCut: true }, MASK)).not.toContain("tok-");
});

inExplore(test)("a title that changes all the time has a line a second at most", async () => {
	const window = await opened("blink");
	const began = performance.now();
	const record = await recording();
	let count = 0;
	const blinking = setInterval(() => window.setTitle(`blink ${count++}`), 20);
	await until(async () => (await record.lines()).length >= 4, "some lines");
	clearInterval(blinking);
	await record.end();
	const seconds = (performance.now() - began) / 1_000;
	expect((await record.lines()).length).toBeLessThanOrEqual(seconds + 1);
	expect(count).toBeGreaterThan(10);
});

const windowsOf = (job: FakeJob): Line[] => linesIn(job.tracks.get("windows") ?? "");
const arrived = (job: FakeJob, text: string) =>
	until(
		() => windowsOf(job).at(-1)?.text === text,
		() => `"${text}" has arrived, not only ${JSON.stringify(windowsOf(job))}:\n${scene.runner.output()}`,
	);
const ALLOWED = () => ({ env: { TAPEDECK_DISPLAY_ALLOW: display.id, SHOP_TOKEN: "tok-0123456789" } });

/** The contents of all files in the runner's folder. */
async function everything(): Promise<string> {
	const names = await readdir(scene.dataDir, { recursive: true, withFileTypes: true });
	const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return (await Promise.all(files.map((file) => readFile(file, "latin1").catch(() => "")))).join("\n");
}

test("no title of a private stretch is in the spool or arrives, whoever dies meanwhile; nor is a secret", async () => {
	const window = await opened("Shop tok-0123456789");
	await scene.start(ALLOWED());
	const job = scene.interrupt(display.id);
	await arrived(job, "Shop ***");
	const version = scene.dashboard.setPrivacy(job, true);
	await until(() => job.reports.some((report) => report.type === "privacy" && report.version === version), "private");
	window.setTitle("hidden-title 1");
	await arrived(job, "(private)");
	await pause(1_500);
	await scene.kill();
	window.setTitle("hidden-title 2");
	await scene.start(ALLOWED());
	await scene.runner.says("resuming the recording");
	await pause(1_500);
	expect(await everything()).not.toMatch(/hidden-title|tok-0123456789/);
	window.setTitle("Cart");
	scene.dashboard.setPrivacy(job, false);
	await arrived(job, "Cart");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	expect(textsOf(windowsOf(job))).toEqual(["Shop ***", "(private)", "Cart"]);
	expect(notesOf(job, "window_closed")).toEqual([]);
});

inExplore(test)("a recording that is private from the start has only what is shown after it", async () => {
	const window = await opened("hidden-title");
	const job = scene.interrupt(display.id);
	scene.dashboard.setPrivacy(job, true);
	job.order.type = "private_recording";
	await scene.start(ALLOWED());
	await scene.status(job, "recording");
	await pause(1_500);
	expect(await everything()).not.toContain("hidden-title");
	window.setTitle("Shop");
	scene.dashboard.setPrivacy(job, false);
	await arrived(job, "Shop");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	expect(textsOf(windowsOf(job))).toEqual(["Shop"]);
});

inExplore(test)("lines in the spool when the runner was killed arrive once, with later ones", async () => {
	const window = await opened("One");
	await scene.start(ALLOWED());
	const job = scene.interrupt(display.id);
	await scene.status(job, "recording");
	await scene.dashboard.goDown();
	window.setTitle("Two");
	const spool = async () => {
		const [folder] = await spooled(scene.dataDir);
		return readFile(trackFile(join(scene.dataDir, "jobs", folder ?? ""), "windows"), "utf8").catch(() => "");
	};
	await until(async () => (await spool()).includes("Two"), "it is written");
	await scene.kill();
	await scene.dashboard.listen();
	await scene.start(ALLOWED());
	window.setTitle("Three");
	await arrived(job, "Three");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	const texts = textsOf(windowsOf(job));
	expect(texts.slice(-2)).toEqual(["Two", "Three"]);
	expect(new Set(texts).size).toBe(texts.length);
});

inExplore(test)("the display of another machine has no track", async () => {
	await display.stop();
	display = await startXvfb({ tcp: true });
	await opened("Elsewhere");
	const elsewhere = `127.0.0.1${display.id}`;
	await scene.start({ display: elsewhere, env: { TAPEDECK_DISPLAY_ALLOW: elsewhere } });
	const job = scene.duration(3, display.id);
	await scene.status(job, "completed");
	expect([...job.tracks.keys()]).toEqual(["load"]);
	expect(scene.runner.output()).not.toMatch(/warn|error/i);
});
