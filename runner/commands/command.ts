/** What every command of `tapedeck` is made of. */
import type { parseArgs } from "node:util";
import type { Environment } from "../config/settings.ts";

/** Exit statuses, the same for every command. */
export const EXIT = {
	done: 0,
	/** What was asked for did not work, or is not well. */
	failed: 1,
	/** The command line itself is wrong. */
	usage: 2,
	/** No runner answers there, or it is not clear which one is meant. */
	noRunner: 3,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with one sentence that says what to do. */
export class CommandError extends Error {
	override name = "CommandError";
	/** For programs, with `--json`. */
	readonly code: string;
	readonly exit: ExitStatus;

	constructor(code: string, message: string, exit: ExitStatus = EXIT.failed) {
		super(message);
		this.code = code;
		this.exit = exit;
	}
}

export type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

export interface Call {
	values: Record<string, string | boolean | undefined>;
	positionals: string[];
	env: Environment;
	/** The result: `data` with `--json`, otherwise `text`. Once a command. */
	tell(data: object, text: string): void;
	/** A line on the way, on standard error. */
	remark(sentence: string): void;
}

export interface Command {
	/** The whole help text. */
	help: string;
	options: Options;
	/** How many words it takes besides its flags. */
	maxWords: number;
	/** @returns the exit status. @throws CommandError. */
	run(call: Call): Promise<ExitStatus>;
}

/** The flags by which commands find a runner. */
export const PLACE_OPTIONS = {
	"data-dir": { type: "string" },
	runner: { type: "string" },
} as const satisfies Options;

export const PLACE_HELP = `  --data-dir <folder>     the runner's data directory (TAPEDECK_DATA_DIR)
  --runner <name>         the runner that has this name (TAPEDECK_RUNNER_NAME)
                          with neither: the one that runs on this machine
  --json                  the result as JSON on standard output, failures too: {"error": {"code", "message"}}`;

export const EXIT_HELP = `exit status: 0 done, 1 it did not work or is not well, 2 the command line is wrong, 3 no runner answers`;
