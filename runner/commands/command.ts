/** What all commands of `tapedeck` share: exit statuses, errors, the flags that find a runner. */
import type { parseArgs } from "node:util";
import type { Environment } from "../config/settings.ts";

/** Exit statuses, the same for every command. */
export const EXIT = {
	done: 0,
	/** The command failed, or found a problem. */
	failed: 1,
	/** The command line is invalid. */
	usage: 2,
	/** No runner responds, or several match. */
	noRunner: 3,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message that says what to do. */
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
	/** Prints the result, once per command: `data` with `--json`, otherwise `text`. */
	print(data: object, text: string): void;
	/** Prints a line of progress on standard error. */
	remark(sentence: string): void;
}

export interface Command {
	/** The whole help text. */
	help: string;
	options: Options;
	/** How many arguments it takes besides its flags. */
	maxArguments: number;
	/** @returns the exit status. @throws CommandError. */
	run(call: Call): Promise<ExitStatus>;
}

/** The flags by which commands find a runner. */
export const RUNNER_OPTIONS = {
	"data-dir": { type: "string" },
	runner: { type: "string" },
} as const satisfies Options;

export const RUNNER_HELP = `  --data-dir <folder>     the runner's data directory (TAPEDECK_DATA_DIR)
  --runner <name>         the runner with this name (TAPEDECK_RUNNER_NAME)
                          default: the only one on this machine
  --json                  print the result as JSON, errors too: {"error": {"code", "message"}}`;

export const EXIT_HELP = `exit status: 0 done, 1 failed or found a problem, 2 invalid command line, 3 no runner responds`;
