/** A display on which a browser test seems to run: a real Chromium with a shop that is clicked through. */
import { join } from "node:path";
import { chromium } from "playwright";
import { freePort } from "#test/processes/free-port.ts";
import { root } from "#test/stack.ts";
import { openDisplay } from "../../bin/setup/demo-display.mjs";
import { startService } from "../../bin/setup/service.mjs";

const CHROMIUM = process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium";
/** The shop goes round in twelve seconds, and every second payment is refused. */
const TWO_ROUNDS_MS = 60_000;

export interface LivelyDisplay {
	id: string;
	/** Waits until the shop shows something: `#paid`, `#refused`, `#shop` or `#checkout`. */
	shows(selector: string): Promise<void>;
	stop(): Promise<void>;
}

/** @param dataDir where the browser keeps its profile. */
export async function openLivelyDisplay(dataDir: string): Promise<LivelyDisplay> {
	const { service, opened } = openDisplay();
	const id: string = await opened;
	const port = await freePort();
	const args = [
		...["--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage", "--test-type"],
		...["--window-position=0,0", "--window-size=1280,720", `--user-data-dir=${join(dataDir, "browser")}`],
		...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
		`--remote-debugging-port=${port}`,
		`--app=file://${join(root, "lab", "screenshots", "shop.html")}`,
	];
	const browser = startService("the browser", CHROMIUM, args, { env: { ...process.env, DISPLAY: id } });
	return {
		id,
		async shows(selector) {
			const debugged = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
			const [page] = debugged.contexts().flatMap((context) => context.pages());
			await page?.locator(selector).waitFor({ timeout: TWO_ROUNDS_MS });
			await debugged.close();
		},
		async stop() {
			await browser.stop(5_000);
			await service.stop(5_000);
		},
	};
}
