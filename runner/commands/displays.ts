/** `tapedeck displays`: the displays that can be recorded. */

import { messageOf } from "../base/fault.ts";
import { xauthorityFile } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { parseDisplayName } from "../displays/display-name.ts";
import { type DisplayList, listDisplays } from "../displays/displays.ts";
import { type Call, CommandError, EXIT, type ExitStatus } from "./command.ts";
import { allowedDisplays, DISPLAY_NOTATION, onlyAllowed, refusalJson } from "./display-options.ts";
import { findDataDir } from "./find-runner.ts";
import { runnerCommand } from "./runner-command.ts";

async function run(call: Call): Promise<ExitStatus> {
	const { displays, refused, allowed } = (await ofRunner(call)) ?? (await ofMachine(call));
	const lines = [
		...displays.map(({ id, width, height, xName }) => {
			const through = xName.startsWith(":") ? "" : `   through ${xName}`;
			return `${id.padEnd(6)} ${width}x${height}${through}`;
		}),
		...refused.map(messageOf),
	];
	if (lines.length === 0) lines.push("No display found; start one, such as Xvfb :99, or set DISPLAY.");
	if (allowed !== null) lines.push(`${onlyAllowed(allowed)}.`);
	call.print({ displays, refused: refused.map(refusalJson), allowed }, lines.join("\n"));
	return displays.length > 0 ? EXIT.done : EXIT.failed;
}

/** The running runner's displays, which avoids opening another connection to each X server; null when none is running. */
async function ofRunner(call: Call): Promise<DisplayList | null> {
	try {
		return await new ControlClient(await findDataDir(call)).status();
	} catch (error) {
		const none = error instanceof ControlError || (error instanceof CommandError && error.exit === EXIT.noRunner);
		if (none) return null;
		throw error;
	}
}

async function ofMachine({ env }: Call): Promise<DisplayList> {
	const fixed = env.DISPLAY ? parseDisplayName(env.DISPLAY) : null;
	if (env.DISPLAY && fixed === null) {
		const words = `DISPLAY: Use ${DISPLAY_NOTATION}, not "${env.DISPLAY}".`;
		throw new CommandError("bad_display", words);
	}
	const allowed = allowedDisplays(env);
	if (typeof allowed === "string") throw new CommandError("bad_display", `TAPEDECK_DISPLAY_ALLOW: ${allowed}`);
	return listDisplays(fixed, xauthorityFile(env), allowed);
}

export const command = runnerCommand({
	usage: "tapedeck displays",
	about: `Lists the displays that can be recorded, with their sizes: those of the runner on this machine or, if none is running,
those that this user can open (and the one in DISPLAY).`,
	exit: "Here, 1 means that no display can be recorded.",
	run,
});
