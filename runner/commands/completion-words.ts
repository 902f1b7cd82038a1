/** Everything that can be completed, as the commands declare it. */
import { FLAGS } from "@tapedeck/machine/runner-variables.ts";
import type { Command, CommandEntries } from "./command.ts";

export interface FlagWords {
	name: string;
	/** The first line of its help. */
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

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

function flagsOf({ syntax }: Command): FlagWords[] {
	const flags = syntax.options.map(({ long, description, required }) => ({
		name: long?.replace(/^--/, "") ?? "",
		about: firstLine(description),
		takesValue: required,
	}));
	return [...flags, { name: "help", about: "show the help", takesValue: false }];
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
			const commands = Object.entries(command.commands).map(([word, each]) => ({
				name: word,
				about: each.summary,
				flags: flagsOf(each),
				commands: [],
			}));
			return { name, about, flags: [], commands };
		}),
	);
	return [runnerWords(runnerAbout), ...words];
}
