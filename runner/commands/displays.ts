/** `tapedeck displays`: the displays that can be recorded. */
import { ControlClient, ControlError } from "../control/control-client.ts";
import { parseDisplayName } from "../displays/display-name.ts";
import { lookAtDisplays, type SeenDisplays } from "../seen-displays.ts";
import { xauthorityFile } from "../config/settings.ts";
import { allowedDisplaysOf, onlyThese } from "./allowed-displays-of.ts";
import {
	type Call,
	type Command,
	CommandError,
	EXIT,
	EXIT_HELP,
	type ExitStatus,
	PLACE_HELP,
	PLACE_OPTIONS,
} from "./command.ts";
import { findDataDir } from "./find-runner.ts";

const help = `usage: tapedeck displays

Lists the displays that can be recorded and their sizes: those of the runner on this machine, and when none runs, those
that this user can open (and the one that DISPLAY names).

${PLACE_HELP}

${EXIT_HELP}
Here 1 says that there is no display that can be recorded.
`;

async function run(call: Call): Promise<ExitStatus> {
	const { displays, refused, allowed } = (await ofRunner(call)) ?? (await lookedUp(call));
	const lines = [
		...displays.map(({ id, width, height, xName }) => {
			const through = xName.startsWith(":") ? "" : `   through ${xName}`;
			return `${id.padEnd(6)} ${width}x${height}${through}`;
		}),
		...refused.map(({ problem }) => problem),
	];
	if (lines.length === 0) lines.push("There is no display; start one, such as Xvfb :99, or set DISPLAY.");
	if (allowed !== null) lines.push(`${onlyThese(allowed)}.`);
	call.tell({ displays, refused, allowed }, lines.join("\n"));
	return displays.length > 0 ? EXIT.done : EXIT.failed;
}

/** A running runner knows them without another connection to every X server. */
async function ofRunner(call: Call): Promise<SeenDisplays | null> {
	try {
		return await new ControlClient(await findDataDir(call)).status();
	} catch (error) {
		const none = error instanceof ControlError || (error instanceof CommandError && error.exit === EXIT.noRunner);
		if (none) return null;
		throw error;
	}
}

async function lookedUp({ env }: Call): Promise<SeenDisplays> {
	const fixed = env.DISPLAY ? parseDisplayName(env.DISPLAY) : null;
	if (env.DISPLAY && fixed === null) {
		const words = `DISPLAY: Give a display as :99, :99.0 or <host>:<number>, not "${env.DISPLAY}".`;
		throw new CommandError("bad_display", words);
	}
	const allowed = allowedDisplaysOf(env);
	if (typeof allowed === "string") throw new CommandError("bad_display", `TAPEDECK_DISPLAY_ALLOW: ${allowed}`);
	return lookAtDisplays(fixed, xauthorityFile(env), allowed);
}

export const command: Command = { help, options: PLACE_OPTIONS, maxWords: 0, run };
