/** Opens addresses in the user's browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../config/settings.ts";
import type { Call } from "../command.ts";

/** The program that opens addresses; null where nobody would see it. */
function browserOf(env: Environment): string | null {
	if (env.BROWSER) return env.BROWSER;
	if (process.platform === "darwin") return "open";
	return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : null;
}

/**
 * Opens a page of the dashboard, or says why not. What the dashboard names as an address may be anything: a flag for the
 * browser, a file of this machine, or another server.
 * @param dashboard the address that the user gave.
 * @returns whether the address may be opened.
 */
export async function openBrowser(
	{ env, remark }: Pick<Call, "env" | "remark">,
	url: string,
	dashboard: string,
): Promise<boolean> {
	const page = pageOf(url, dashboard);
	if (page === null) {
		remark(`Not opened: the dashboard at ${dashboard} names an address that is not its own (${url.slice(0, 200)}).`);
		return false;
	}
	const program = browserOf(env);
	if (program === null) {
		remark("No browser here; open the address yourself, or set BROWSER.");
		return true;
	}
	const child = spawn(program, [page], { stdio: "ignore", detached: true });
	await once(child, "spawn").catch((error) =>
		remark(`${program} can't be started (${error.code}); open the address yourself, or set BROWSER.`),
	);
	child.unref();
	return true;
}

/** @returns the address of a page of the dashboard, as a browser writes it; null for any other address. */
function pageOf(url: string, dashboard: string): string | null {
	const page = URL.parse(url);
	if (page === null || !["http:", "https:"].includes(page.protocol)) return null;
	if (page.origin !== new URL(dashboard).origin || page.username !== "" || page.password !== "") return null;
	return page.href;
}
