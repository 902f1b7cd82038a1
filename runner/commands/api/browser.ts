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

/** Opens the address, or says why not. */
export async function openBrowser({ env, remark }: Pick<Call, "env" | "remark">, url: string): Promise<void> {
	const program = browserOf(env);
	if (program === null) return remark("No browser here; open the address yourself, or set BROWSER.");
	const child = spawn(program, [url], { stdio: "ignore", detached: true });
	await once(child, "spawn").catch((error) =>
		remark(`${program} can't be started (${error.code}); open the address yourself, or set BROWSER.`),
	);
	child.unref();
}
