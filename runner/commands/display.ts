/** `tapedeck display -- <command>`: a virtual display for a command, without a recording. */
import { childEnvironment, fromEnvironment } from "../config/settings.ts";
import {
	DISPLAY_MODE_NOTATION,
	type DisplayMode,
	displayModeIn,
	NoDisplayError,
	startVirtualDisplay,
} from "../displays/virtual-display.ts";
import { runChild } from "./child-command.ts";
import { type Call, CommandError, type ExitStatus, usageError } from "./command.ts";
import { defineCommand, option } from "./define-command.ts";

async function run({ values, positionals, env }: Call): Promise<ExitStatus> {
	if (positionals.length === 0)
		throw usageError("Name the command to run, such as: tapedeck display -- npx playwright test --headed");
	const display = await startVirtualDisplay(modeOf(values.size, env), childEnvironment(env)).catch((error) => {
		throw error instanceof NoDisplayError ? new CommandError("no_display", error.message) : error;
	});
	try {
		const variables: Record<string, string | undefined> = { ...env, DISPLAY: display.id };
		const { status } = await runChild(positionals, variables as NodeJS.ProcessEnv);
		return status as ExitStatus;
	} finally {
		await display.stop();
	}
}

/** The mode that the flag names, or else that of the runner's displays. @throws CommandError. */
function modeOf(flag: string | boolean | readonly string[] | undefined, env: Call["env"]): DisplayMode {
	const [name, text] =
		typeof flag === "string"
			? ["--size", flag]
			: ["TAPEDECK_VIRTUAL_DISPLAY_SIZE", fromEnvironment(env, "virtual-display-size") ?? "1920x1080"];
	const mode = displayModeIn(text);
	if (mode === null) throw usageError(`${name}: ${DISPLAY_MODE_NOTATION}`);
	return mode;
}

export const command = defineCommand({
	usage: "tapedeck display [--size 1280x720] -- <command> [arguments]",
	about: `Runs a command with a virtual display of its own (Xvfb), for this user alone, as its DISPLAY. The display ends with
the command, also if this program is killed. Nothing is recorded: see "tapedeck run --new-display" for that.`,
	options: [
		option("--size <size>", "its size in pixels; default that of TAPEDECK_VIRTUAL_DISPLAY_SIZE, else 1920x1080"),
	],
	notes: ["exit status: the command's own; 1 if the display could not be started, 2 invalid command line"],
	maxArguments: Number.POSITIVE_INFINITY,
	run,
});
