/** Shared parts of all commands of `tapedeck`: exit statuses, errors, and the type of a command. */
import type { Command as Syntax } from "commander";
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
	/** For commands that call the API: the dashboard does not respond. */
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

export interface Call {
	/** Values of the flags, by their name in camel case. */
	values: Record<string, string | boolean | string[] | undefined>;
	positionals: string[];
	env: Environment;
	/** Prints the result, once per command: `data` with `--json`, otherwise `text`. */
	print(data: object, text: string): void;
	/** Prints a line of progress on standard error. */
	remark(sentence: string): void;
}

export interface Command {
	/** A description in a few words, for the list of the command's group. */
	summary: string;
	/** The whole help text. */
	help: string;
	/** Its flags, as commander parses them. */
	syntax: Syntax;
	/** Allowed number of arguments, not counting flags. */
	maxArguments: number;
	/** @returns the exit status. @throws CommandError. */
	run(call: Call): Promise<ExitStatus>;
}

/** Commands that share a first word, such as `tapedeck jobs list`. */
export interface CommandGroup {
	help: string;
	/** Commands, by their second word. */
	commands: Record<string, Command>;
}

/** The commands by their first word. Each is loaded when it is called, so that all start fast. */
export type CommandEntries = Record<string, { about: string; load(): Promise<{ command: Command | CommandGroup }> }>;
