/** The commands of `tapedeck`: parses the command line, runs the command and prints its result. */

import { sentenceOf, unknownVariables } from "@tapedeck/client-source/known-variables.ts";
import type { CommanderError } from "commander";
import { OWN_VERSION } from "../base/installation.ts";
import { forTerminal, jsonText } from "../base/terminal.ts";
import { environment } from "../config/settings.ts";
import {
	type Call,
	type Command,
	type CommandEntries,
	CommandError,
	type CommandGroup,
	EXIT,
	usageError,
} from "./command.ts";

/** For the runner on this machine. */
const RUNNER_COMMANDS: CommandEntries = {
	status: {
		about: "show the runner's status: connection, recordings, uploads",
		load: () => import("./status.ts"),
	},
	displays: {
		about: "list the displays that can be recorded",
		load: () => import("./displays.ts"),
	},
	display: { about: "run a command on a virtual display", load: () => import("./display.ts") },
	run: { about: "run a command and record a display meanwhile", load: () => import("./run.ts") },
	record: { about: "start a recording on this machine", load: () => import("./record.ts") },
	save: { about: "make a recording of what a display has just shown", load: () => import("./save.ts") },
	stop: { about: "stop recordings on this machine", load: () => import("./stop.ts") },
	spool: {
		about: "list, send or delete recordings that are not uploaded",
		load: () => import("./spool.ts"),
	},
	upgrade: {
		about: "replace an installed runner by the dashboard's version",
		load: () => import("./upgrade.ts"),
	},
	doctor: {
		about: "check everything that recording needs, and say how to fix it",
		load: () => import("./doctor.ts"),
	},
};

/** For the dashboard. */
const API_COMMANDS: CommandEntries = {
	jobs: {
		about: "list, show, create, wait for, cancel and label jobs",
		load: () => import("./api/jobs.ts"),
	},
	screenshot: {
		about: "take a picture of a display",
		load: () => import("./api/screenshot.ts"),
	},
	"file-upload": {
		about: "have a runner upload a file of its machine",
		load: () => import("./api/file-upload.ts"),
	},
	schedule: {
		about: "create jobs again and again: list, create, pause, resume, delete",
		load: () => import("./api/schedule.ts"),
	},
	recordings: {
		about: "list, show, download, share and delete recordings",
		load: () => import("./api/recordings.ts"),
	},
	import: { about: "import test reports of any tool", load: () => import("./import.ts") },
	comment: { about: "comment on a pull or merge request", load: () => import("./comment.ts") },
	clip: { about: "cut a clip out of a recording", load: () => import("./api/clip.ts") },
	proof: { about: "cut a recording down to what changed in it, with a receipt", load: () => import("./api/proof.ts") },
	verify: { about: "verify that a video is what a dashboard has signed", load: () => import("./api/verify.ts") },
	mark: { about: "add a marker to a recording", load: () => import("./mark.ts") },
	privacy: { about: "record black for a while", load: () => import("./privacy.ts") },
	log: { about: "add a log to a recording: tapedeck log < file", load: () => import("./log.ts") },
	runners: { about: "list the runners and their displays", load: () => import("./api/runners.ts") },
	open: { about: "open a job's page in the browser", load: () => import("./api/open.ts") },
	login: { about: "sign in to a dashboard by a code in the browser", load: () => import("./api/login.ts") },
	logout: { about: "forget the sign-in", load: () => import("./api/logout.ts") },
	mcp: { about: "serve the tools for agents to a program that starts it", load: () => import("./mcp.ts") },
	skill: { about: "install the skill for agents in a project", load: () => import("./api/skill.ts") },
	api: { about: "call any endpoint of the API", load: () => import("./api/api.ts") },
};

/** The purpose of `tapedeck runner`, which has settings instead of flags (config/settings.ts). */
const RUNNER_ABOUT = "run a runner: record displays for a dashboard until stopped";

/** For `tapedeck` itself. */
const OTHER_COMMANDS: CommandEntries = {
	up: { about: "try Tapedeck: start a dashboard and a display that it records", load: () => import("./up.ts") },
	completion: {
		about: "print what completes commands and flags in bash, zsh or fish",
		load: async () => ({
			command: (await import("./completion.ts")).completionCommand(COMMANDS, RUNNER_ABOUT),
		}),
	},
};

export const COMMANDS: CommandEntries = { ...RUNNER_COMMANDS, ...API_COMMANDS, ...OTHER_COMMANDS };

const listOf = (entries: CommandEntries): string =>
	Object.entries(entries)
		.map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
		.join("\n");

const USAGE = `usage: tapedeck <command> [flags]

on a machine with displays:
  runner      ${RUNNER_ABOUT}
${listOf(RUNNER_COMMANDS)}

anywhere, after "tapedeck login", or with TAPEDECK_URL and TAPEDECK_API_KEY:
${listOf(API_COMMANDS)}

for Tapedeck itself:
${listOf(OTHER_COMMANDS)}

Run "tapedeck <command> --help" for its flags and exit statuses.
`;

/** Runs a command. @param argv the words after `tapedeck`. @returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
	if (argv[0] === "--version") {
		process.stdout.write(`${OWN_VERSION}\n`);
		return EXIT.done;
	}
	const own = ownWords(argv);
	const asksHelp = argv[0] === "help" || own.includes("--help") || own.includes("-h");
	const [name, ...rest] = argv[0] === "help" ? argv.slice(1) : argv;
	if (name === "runner") {
		const runner = await import("./runner.ts");
		if (!asksHelp) return runner.run(rest);
		process.stdout.write(runner.help);
		return EXIT.done;
	}
	const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (entry !== undefined && name !== undefined) {
		const { command } = await entry.load();
		return "commands" in command
			? runOneOf(name, command, rest, asksHelp)
			: runOrExplain(name, command, rest, asksHelp);
	}
	if (asksHelp && (name === undefined || name.startsWith("-"))) {
		process.stdout.write(USAGE);
		return EXIT.done;
	}
	process.stderr.write(name === undefined ? USAGE : `Unknown command "${name}".\n\n${USAGE}`);
	return EXIT.usage;
}

async function runOneOf(
	name: string,
	group: CommandGroup,
	[word, ...rest]: readonly string[],
	asksHelp: boolean,
): Promise<number> {
	const command = word !== undefined && Object.hasOwn(group.commands, word) ? group.commands[word] : undefined;
	if (command !== undefined) return runOrExplain(`${name} ${word}`, command, rest, asksHelp);
	if (asksHelp && (word === undefined || word.startsWith("-"))) {
		process.stdout.write(group.help);
		return EXIT.done;
	}
	process.stderr.write(word === undefined ? group.help : `Unknown command "${name} ${word}".\n\n${group.help}`);
	return EXIT.usage;
}

async function runOrExplain(
	name: string,
	command: Command,
	argv: readonly string[],
	asksHelp: boolean,
): Promise<number> {
	if (!asksHelp) return runCommand(name, command, argv);
	process.stdout.write(command.help);
	return EXIT.done;
}

/** Words that are meant for `tapedeck` itself: for `tapedeck run`, those before the command. */
function ownWords(argv: readonly string[]): readonly string[] {
	const at = argv.indexOf("--");
	return at < 0 ? argv : argv.slice(0, at);
}

async function runCommand(name: string, command: Command, argv: readonly string[]): Promise<number> {
	const asJson = ownWords(argv).includes("--json");
	// The reader of a pipe, such as head, may have enough.
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
	try {
		const { values, positionals } = parseCommandLine(name, command, argv);
		// Doctor has them among its findings.
		const unknown = name === "doctor" ? [] : unknownVariables(environment());
		for (const variable of unknown) process.stderr.write(`${forTerminal(sentenceOf(variable))}\n`);
		return await command.run({
			values,
			positionals,
			env: environment(),
			print: (data, text) => void process.stdout.write(`${asJson ? jsonText(data) : forTerminal(text)}\n`),
			remark: (sentence) => void process.stderr.write(`${forTerminal(sentence)}\n`),
		});
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		const { code, message, exit } = error;
		if (asJson) process.stdout.write(`${jsonText({ error: { code, message } })}\n`);
		else process.stderr.write(`${forTerminal(message)}\n`);
		return exit;
	}
}

function parseCommandLine(
	name: string,
	command: Command,
	argv: readonly string[],
): Pick<Call, "values" | "positionals"> {
	const wrong = (words: string) => usageError(`${words}. See "tapedeck ${name} --help".`);
	const { syntax, maxArguments } = command;
	try {
		syntax.parse([...argv], { from: "user" });
	} catch (error) {
		const { code, message } = error as Partial<CommanderError>;
		if (!code?.startsWith("commander.") || message === undefined) throw error;
		const sentence = message.replace(/^error: /, "").replace(/\.$/, "");
		throw wrong(sentence.charAt(0).toUpperCase() + sentence.slice(1));
	}
	const extra = syntax.args[maxArguments];
	if (extra !== undefined) throw wrong(`Unexpected argument "${extra}"`);
	return { values: syntax.opts(), positionals: syntax.args };
}
