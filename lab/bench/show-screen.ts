/** A browser with the page of lab/compare that loads pages, waits and types, as a test does. */
import { join } from "node:path";
import { type Child, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { root } from "#test/stack.ts";

/** The time until a browser shows it. */
export const PAGE_MS = 5_000;

/** @param profile an empty folder, which is created. */
export function showScreen(
	display: string,
	{ width, height, left = 0 }: { width: number; height: number; left?: number },
	profile: string,
): Child {
	const flags = [
		...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--ozone-platform=x11"],
		...[`--window-position=${left},0`, `--window-size=${width},${height}`, `--user-data-dir=${profile}`],
	];
	const page = `--app=file://${join(root, "lab/compare/screen.html")}#web`;
	return startChild(requireProgram("chromium"), [...flags, page], {
		env: { ...process.env, DISPLAY: display },
		stdio: "ignore",
	});
}
