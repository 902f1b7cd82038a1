/** The commands of `tapedeck`: parses the command line, runs the command and prints its result. */
import { parseArgs } from "node:util";
import { VERSION } from "#lib/contract/version.ts";
import { environment } from "../config/settings.ts";
import { type Call, type Command, CommandError, EXIT, usageError } from "./command.ts";

/** Loaded when they are called, so that each starts fast. */
const COMMANDS: Record<string, { about: string; load(): Promise<{ command: Command }> }> = {
	status: {
		about: "show the runner's status: connection, recordings, uploads",
		load: () => import("./status.ts"),
	},
	displays: {
		about: "list the displays that can be recorded",
		load: () => import("./displays.ts"),
	},
	run: { about: "run a command and record a display meanwhile", load: () => import("./run.ts") },
	record: { about: "start a recording on this machine", load: () => import("./record.ts") },
	stop: { about: "stop recordings on this machine", load: () => import("./stop.ts") },
	spool: {
		about: "list, send or delete recordings that are not uploaded",
		load: () => import("./spool.ts"),
	},
	doctor: {
		about: "check everything that recording needs, and say how to fix it",
		load: () => import("./doctor.ts"),
	},
};

const USAGE = `usage: tapedeck <command> [flags]

  runner      run a runner: record displays for a dashboard until stopped
${Object.entries(COMMANDS)
	.map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
	.join("\n")}

Run "tapedeck <command> --help" for its flags and exit statuses.
`;

/** Runs a command. @param argv the words after `tapedeck`. @returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
	if (argv[0] === "--version") {
		process.stdout.write(`${VERSION}\n`);
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
	const entry = name === undefined ? undefined : COMMANDS[name];
	if (entry !== undefined && name !== undefined) {
		const { command } = await entry.load();
		if (!asksHelp) return runCommand(name, command, rest);
		process.stdout.write(command.help);
		return EXIT.done;
	}
	if (asksHelp && (name === undefined || name.startsWith("-"))) {
		process.stdout.write(USAGE);
		return EXIT.done;
	}
	process.stderr.write(name === undefined ? USAGE : `Unknown command "${name}".\n\n${USAGE}`);
	return EXIT.usage;
}

/** What is meant for `tapedeck` itself: of `tapedeck run`, the words before the command. */
function ownWords(argv: readonly string[]): readonly string[] {
	const at = argv.indexOf("--");
	return at < 0 ? argv : argv.slice(0, at);
}

async function runCommand(name: string, command: Command, argv: readonly string[]): Promise<number> {
	const asJson = ownWords(argv).includes("--json");
	try {
		const { values, positionals } = parseCommandLine(name, command, argv);
		return await command.run({
			values,
			positionals,
			env: environment(),
			print: (data, text) => void process.stdout.write(`${asJson ? JSON.stringify(data) : text}\n`),
			remark: (sentence) => void process.stderr.write(`${sentence}\n`),
		});
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		const { code, message, exit } = error;
		if (asJson) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
		else process.stderr.write(`${message}\n`);
		return exit;
	}
}

function parseCommandLine(
	name: string,
	command: Command,
	argv: readonly string[],
): Pick<Call, "values" | "positionals"> {
	const wrong = (words: string) => usageError(`${words}. See "tapedeck ${name} --help".`);
	let parsed: { values: object; positionals: string[] };
	try {
		const options = { ...command.options, json: { type: "boolean" as const } };
		parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
	} catch (error) {
		const first = (error as Error).message.split(/[.\n]/)[0] ?? "";
		throw wrong(first);
	}
	const extra = parsed.positionals[command.maxArguments];
	if (extra !== undefined) throw wrong(`Unexpected argument "${extra}"`);
	return { values: parsed.values as Call["values"], positionals: parsed.positionals };
}
