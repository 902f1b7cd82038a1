/** A display on which a browser test seems to run: a real Chromium with a shop that is clicked through. */
import { join } from "node:path";
import { root } from "#test/stack.ts";
import { openDisplay } from "../bin/setup/demo-display.mjs";
import { startService } from "../bin/setup/service.mjs";

const CHROMIUM = process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium";

/** @param dataDir where the browser keeps its profile. */
export async function openLivelyDisplay(dataDir: string): Promise<{ id: string; stop(): Promise<void> }> {
	const { service, opened } = openDisplay();
	const id: string = await opened;
	const args = [
		...["--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage", "--test-type"],
		...["--window-position=0,0", "--window-size=1280,720", `--user-data-dir=${join(dataDir, "browser")}`],
		...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
		`--app=file://${join(root, "screenshots", "shop.html")}`,
	];
	const browser = startService("the browser", CHROMIUM, args, { env: { ...process.env, DISPLAY: id } });
	return {
		id,
		async stop() {
			await browser.stop(5_000);
			await service.stop(5_000);
		},
	};
}
