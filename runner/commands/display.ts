/** `tapedeck display -- <command>`: a virtual display for a command, without a recording. */
import { displayEnvironment } from "@tapedeck/client-source/display-environment.ts";
import { fromEnvironment } from "../config/settings.ts";
import { ControlError } from "../control/control-client.ts";
import { DISPLAY_MODE_NOTATION, type DisplayMode, displayModeIn, NoDisplayError } from "../displays/virtual-display.ts";
import { runChild } from "./child-command.ts";
import { type Call, CommandError, type ExitStatus, usageError } from "./command.ts";
import { displayFor } from "./command-display.ts";
import { defineCommand, option } from "./define-command.ts";

const USUAL_MODE: DisplayMode = { width: 1_920, height: 1_080, depth: 24 };

async function run(call: Call): Promise<ExitStatus> {
	const { values, positionals, env } = call;
	if (positionals.length === 0)
		throw usageError("Name the command to run, such as: tapedeck display -- npx playwright test --headed");
	const mode = modeOf(values.size, env);
	const display = await displayFor(call, mode ?? {}, mode ?? USUAL_MODE).catch((error) => {
		const isRefusal = error instanceof NoDisplayError || error instanceof ControlError;
		throw isRefusal ? new CommandError("no_display", error.message) : error;
	});
	try {
		const { status } = await runChild(positionals, displayEnvironment(display.id, env) as unknown as NodeJS.ProcessEnv);
		return status as ExitStatus;
	} finally {
		await display.stop();
	}
}

/** The mode that the flag or the variable names; null if neither does. @throws CommandError. */
function modeOf(flag: string | boolean | readonly string[] | undefined, env: Call["env"]): DisplayMode | null {
	const [name, text] =
		typeof flag === "string"
			? ["--size", flag]
			: ["TAPEDECK_VIRTUAL_DISPLAY_SIZE", fromEnvironment(env, "virtual-display-size")];
	if (text === undefined) return null;
	const mode = displayModeIn(text);
	if (mode === null) throw usageError(`${name}: ${DISPLAY_MODE_NOTATION}`);
	return mode;
}

export const command = defineCommand({
	usage: "tapedeck display [--size 1280x720] -- <command> [arguments]",
	about: `Runs a command with a virtual display of its own (Xvfb), for this user alone, as its DISPLAY. The display ends with
the command, also if this program is killed. It is one of the runner of this machine, if that makes virtual displays: while all of
them are in use, the command waits. Nothing is recorded: see "tapedeck run --new-display" for that.`,
	options: [
		option(
			"--size <size>",
			"its size in pixels; default that of TAPEDECK_VIRTUAL_DISPLAY_SIZE, else the runner's, else 1920x1080",
		),
	],
	notes: ["exit status: the command's own; 1 if the display could not be started, 2 invalid command line"],
	maxArguments: Number.POSITIVE_INFINITY,
	run,
});
