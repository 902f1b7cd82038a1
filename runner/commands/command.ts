/** What all commands of `tapedeck` share: exit statuses, errors, the help and flags of those that find a runner. */
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
	/** Of commands that call the API: the dashboard does not respond. */
	noDashboard: 3,
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

/** The error of an invalid command line. */
export const usageError = (message: string): CommandError => new CommandError("usage", message, EXIT.usage);

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

export interface Call {
	values: Record<string, string | boolean | string[] | undefined>;
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

/** Commands that share a first word, such as `tapedeck jobs list`. */
export interface CommandGroup {
	help: string;
	/** By their second word. */
	commands: Record<string, Command>;
}

/** The commands by their first word. Each is loaded when it is called, so that all start fast. */
export type CommandEntries = Record<string, { about: string; load(): Promise<{ command: Command | CommandGroup }> }>;

const RUNNER_HELP = `  --data-dir <folder>     the runner's data directory (TAPEDECK_DATA_DIR)
  --runner <name>         the runner with this name (TAPEDECK_RUNNER_NAME)
                          default: the only one on this machine
  --json                  print the result as JSON, errors too: {"error": {"code", "message"}}`;

const EXIT_HELP = "exit status: 0 done, 1 failed or found a problem, 2 invalid command line, 3 no runner responds";

interface RunnerCommand extends Pick<Command, "run">, Partial<Pick<Command, "options" | "maxArguments">> {
	usage: string;
	about: string;
	/** The help of its flags, a line each, without those that find the runner. */
	flags?: string;
	/** What its exit statuses mean in particular. */
	exit?: string;
}

/** A command for the runner on this machine, with the flags that say which one. */
export function runnerCommand({
	usage,
	about,
	flags,
	exit,
	options = {},
	maxArguments = 0,
	run,
}: RunnerCommand): Command {
	const lines = (...texts: (string | undefined)[]) => texts.filter((text) => text !== undefined).join("\n");
	return {
		help: `${[usage, about, lines(flags, RUNNER_HELP), lines(EXIT_HELP, exit)].join("\n\n")}\n`,
		options: { ...options, "data-dir": { type: "string" }, runner: { type: "string" } },
		maxArguments,
		run,
	};
}
