/** `tapedeck display -- <command>`: a virtual display for a command, without a recording. */
import { sizeIn } from "@tapedeck/contract/new-display.ts";
import { childEnvironment, fromEnvironment } from "../config/settings.ts";
import { NoDisplayError, startVirtualDisplay } from "../displays/virtual-display.ts";
import { runChild } from "./child-command.ts";
import { type Call, CommandError, type ExitStatus, usageError } from "./command.ts";
import { defineCommand, option } from "./define-command.ts";
import { sizeOf } from "./display-options.ts";

const DEFAULT_SIZE = { width: 1920, height: 1080 };

async function run({ values, positionals, env }: Call): Promise<ExitStatus> {
	if (positionals.length === 0)
		throw usageError("Name the command to run, such as: tapedeck display -- npx playwright test --headed");
	const size = typeof values.size === "string" ? sizeOf("size", values.size) : sizeFrom(env);
	const display = await startVirtualDisplay({ ...size, depth: 24 }, childEnvironment(env)).catch((error) => {
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

/** The size of the runner's displays (TAPEDECK_VIRTUAL_DISPLAY_SIZE). */
function sizeFrom(env: Call["env"]): { width: number; height: number } {
	const [width, height] = (fromEnvironment(env, "virtual-display-size") ?? "").split("x");
	return sizeIn(`${width}x${height}`) ?? DEFAULT_SIZE;
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
