/** The commands of `tapedeck`: finds the one that is meant, reads its words, tells its result. */
import { parseArgs } from "node:util";
import { type Call, type Command, CommandError, EXIT } from "./command.ts";
import { environment } from "../config/settings.ts";

/** Loaded when they are called: the quick ones need little. */
const COMMANDS: Record<string, { about: string; load(): Promise<{ command: Command }> }> = {
	status: {
		about: "how the runner on this machine fares: connected, recording, waiting",
		load: () => import("./status.ts"),
	},
	displays: {
		about: "the displays that can be recorded, and their sizes",
		load: () => import("./displays.ts"),
	},
	record: { about: "begin a recording here", load: () => import("./record.ts") },
	stop: { about: "end recordings here", load: () => import("./stop.ts") },
	spool: {
		about: "show, send or remove recordings that are not delivered",
		load: () => import("./spool.ts"),
	},
	doctor: {
		about: "check everything that recording needs, and say how to mend it",
		load: () => import("./doctor.ts"),
	},
};

const USAGE = `usage: tapedeck <command> [flags]

  runner      run a runner: record displays for a dashboard, until it is stopped
${Object.entries(COMMANDS)
	.map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
	.join("\n")}

tapedeck <command> --help tells the flags and exit statuses of one.
`;

/** Runs the command that the words after `tapedeck` name. @returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
	const asksHelp = argv[0] === "help" || argv.includes("--help") || argv.includes("-h");
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
	process.stderr.write(name === undefined ? USAGE : `There is no command "${name}".\n\n${USAGE}`);
	return EXIT.usage;
}

async function runCommand(name: string, command: Command, argv: readonly string[]): Promise<number> {
	const asJson = argv.includes("--json");
	try {
		const { values, positionals } = parseWords(name, command, argv);
		return await command.run({
			values,
			positionals,
			env: environment(),
			tell: (data, text) => void process.stdout.write(`${asJson ? JSON.stringify(data) : text}\n`),
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

function parseWords(name: string, command: Command, argv: readonly string[]): Pick<Call, "values" | "positionals"> {
	const wrong = (words: string) =>
		new CommandError("usage", `${words}; "tapedeck ${name} --help" tells its flags.`, EXIT.usage);
	let parsed: { values: object; positionals: string[] };
	try {
		const options = { ...command.options, json: { type: "boolean" as const } };
		parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
	} catch (error) {
		const first = (error as Error).message.split(/[.\n]/)[0] ?? "";
		throw wrong(first);
	}
	const extra = parsed.positionals[command.maxWords];
	if (extra !== undefined) throw wrong(`"${extra}" is one word too many`);
	return { values: parsed.values as Call["values"], positionals: parsed.positionals };
}
