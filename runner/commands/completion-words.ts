/** Everything that can be completed, read from the commands themselves: their names, flags and help. */
import { FLAGS } from "../config/settings.ts";
import type { Command, CommandEntries } from "./command.ts";

export interface FlagWords {
	name: string;
	/** Its line of the help; empty if it has none. */
	about: string;
	takesValue: boolean;
}

export interface CommandWords {
	name: string;
	about: string;
	flags: FlagWords[];
	/** Second words, such as `list` of `jobs`. */
	commands: CommandWords[];
}

/** A flag's line in a help text: `  --limit <count>   how many`. */
const FLAG_LINE = /^ {2}(?:\S+ )*?--([\w-]+)(?: \S+)* {2,}(.+)$/gm;
/** A command's line in the help of a group. */
const COMMAND_LINE = /^ {2}([\w-]+) {2,}(.+)$/gm;

const linesOf = (help: string, pattern: RegExp): Map<string, string> =>
	new Map([...help.matchAll(pattern)].map(([, name = "", about = ""]) => [name, about]));

function flagsOf({ help, options }: Command): FlagWords[] {
	const abouts = linesOf(help, FLAG_LINE);
	const flags = Object.entries(options).map(([name, { type }]) => ({
		name,
		about: abouts.get(name) ?? "",
		takesValue: type === "string",
	}));
	const common = ["json", "help"].filter((name) => !flags.some((flag) => flag.name === name));
	const COMMON_ABOUTS: Record<string, string> = { json: "print the result as JSON", help: "show the help" };
	return [...flags, ...common.map((name) => ({ name, about: COMMON_ABOUTS[name] ?? "", takesValue: false }))];
}

const runnerWords = (about: string): CommandWords => ({
	name: "runner",
	about,
	flags: Object.entries(FLAGS).map(([name, [, words]]) => ({ name, about: words, takesValue: true })),
	commands: [],
});

/** Loads all commands. @param runnerAbout what `tapedeck runner` is for. @returns their words, in the order of the help. */
export async function readWords(entries: CommandEntries, runnerAbout: string): Promise<CommandWords[]> {
	const words = await Promise.all(
		Object.entries(entries).map(async ([name, { about, load }]): Promise<CommandWords> => {
			const { command } = await load();
			if (!("commands" in command)) return { name, about, flags: flagsOf(command), commands: [] };
			const abouts = linesOf(command.help, COMMAND_LINE);
			const commands = Object.entries(command.commands).map(([word, each]) => ({
				name: word,
				about: abouts.get(word) ?? "",
				flags: flagsOf(each),
				commands: [],
			}));
			return { name, about, flags: [], commands };
		}),
	);
	return [runnerWords(runnerAbout), ...words];
}
