/** The cost of a worker's film beside Playwright's own video, of the same page and size. All processes are counted. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContextOptions, LaunchOptions } from "playwright";
import { median } from "#lab/bench/figures.ts";
import { processTree } from "#lab/bench/processes.ts";
import { browsersFolder } from "#test/clients/playwright-project.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { root } from "#test/stack.ts";
import { processorShare, ROUNDS, type Screen, SETTLE_MS, tableOf, WINDOW_MS } from "./stage.ts";

const SIZE = { width: 1280, height: 720 };
const SCREENS = ["web", "moving"] as const satisfies Screen[];
const ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"];
const SHOWN = [
	...ARGUMENTS,
	"--ozone-platform=x11",
	"--window-position=0,0",
	`--window-size=${SIZE.width},${SIZE.height}`,
];

interface Place {
	scene: Scene;
	runner: SceneRunner;
	display: VirtualDisplay;
	folder: string;
}
/** A way to show the page. @returns the share of a core, in percent. */
type Way = (place: Place, screen: Screen) => Promise<number>;

/** @returns a table in Markdown. */
export async function compareFilms(): Promise<string> {
	const scene = await openScene();
	const display = await startXvfb(SIZE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-compare-"));
	try {
		const env = {
			TAPEDECK_VIRTUAL_DISPLAYS: "1",
			TAPEDECK_VIRTUAL_DISPLAY_SIZE: `${SIZE.width}x${SIZE.height}`,
		};
		const place = { scene, runner: await scene.addRunner("compare", { env }), display, folder };
		// Playwright reads it when it is loaded.
		process.env.PLAYWRIGHT_BROWSERS_PATH = await browsersFolder(folder, join(root, "node_modules"));
		const rows: string[][] = [];
		for (const screen of SCREENS) {
			const costs = new Map<string, number[]>(Object.keys(WAYS).map((name) => [name, []]));
			for (let round = 0; round < ROUNDS; round += 1) {
				for (const [name, way] of Object.entries(WAYS)) costs.get(name)?.push(await way(place, screen));
			}
			rows.push([
				screen,
				...Object.keys(WAYS).map((name) => `${median(costs.get(name) ?? []).toFixed(1)} % of a core`),
			]);
		}
		return tableOf(Object.keys(WAYS), rows);
	} finally {
		await scene.stop();
		await display.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const WAYS: Record<string, Way> = {
	"shown on a display, without a film": ({ display }, screen) => costShown(display.id, screen),
	"a worker's display with its film": async ({ scene, runner }, screen) => {
		const { api } = scene.dashboard;
		const { id } = await api.createJob({ runnerId: runner.id, displayId: "new", ...interrupt });
		const job = await api.waitFor(id, "recording");
		const cost = await costShown(job.displayId, screen);
		await api.cancelJob(id);
		await api.waitFor(id, "playable");
		return cost;
	},
	"headless with Playwright's video": ({ folder }, screen) =>
		costOf(
			screen,
			{ headless: true, executablePath: requireProgram("chromium-headless-shell"), args: ARGUMENTS },
			{ viewport: SIZE, recordVideo: { dir: join(folder, "videos"), size: SIZE } },
		),
};

const costShown = (display: string, screen: Screen): Promise<number> =>
	costOf(
		screen,
		{
			...{ headless: false, executablePath: requireProgram("chromium"), args: SHOWN },
			env: { ...process.env, DISPLAY: display } as Record<string, string>,
		},
		{ viewport: null },
	);

async function costOf(screen: Screen, launch: LaunchOptions, options: BrowserContextOptions): Promise<number> {
	const { chromium } = await import("playwright");
	const browser = await chromium.launch(launch);
	try {
		const context = await browser.newContext(options);
		const page = await context.newPage();
		await page.goto(`file://${join(root, "lab/compare/screen.html")}#${screen}`);
		await sleep(SETTLE_MS);
		const cost = await processorShare(processTree(process.pid), WINDOW_MS);
		await context.close();
		return cost;
	} finally {
		await browser.close();
	}
}
