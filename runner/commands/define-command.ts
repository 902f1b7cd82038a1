/** Declares commands with commander: an option is declared once, and so it is parsed, listed in the help, and completed. */
import { InvalidArgumentError, Option, Command as Syntax } from "commander";
import type { Command } from "./command.ts";

/** A flag, such as `--wait` or `--name <name>`. @param about its help; completion shows the first line. */
export function option(flags: string, about: string): Option {
	const declared = new Option(flags, about);
	return declared.required ? declared.argParser(value) : declared;
}

/** A flag with a value that may be given several times. @param about its help; completion shows the first line. */
export const repeatable = (flags: string, about: string): Option =>
	new Option(flags, about).argParser((text, before: string[] = []) => [...before, value(text)]);

/** Another flag instead of a value: the value was forgotten. */
function value(text: string): string {
	if (/^--[a-z-]*$/.test(text)) throw new InvalidArgumentError("Its value is missing.");
	return text;
}

export const JSON_OPTION = option("--json", 'print the result as JSON, errors too: {"error": {"code", "message"}}');

export interface Declaration extends Pick<Command, "run"> {
	/** The command line, such as `tapedeck stop <job id>`. */
	usage: string;
	/** A description in a few words, for the list of the command's group. */
	summary?: string;
	/** A full description. */
	about: string;
	/** Lines of the help for words that are no flags. */
	words?: Record<string, string>;
	options: readonly Option[];
	/** The end of the help text: variables, exit statuses. */
	notes: readonly string[];
	/** Allowed number of arguments, not counting flags; default none. */
	maxArguments?: number;
}

export function defineCommand(declaration: Declaration): Command {
	const { usage, summary = "", about, words = {}, options, notes, maxArguments = 0, run } = declaration;
	// Output and exit status are those of all commands: commands.ts.
	const syntax = new Syntax().helpOption(false).allowExcessArguments().exitOverride();
	syntax.showSuggestionAfterError(false).configureOutput({ outputError: () => undefined });
	for (const each of options) syntax.addOption(each);
	const terms = [...Object.entries(words), ...options.map(({ flags, description }) => [flags, description] as const)];
	const lines = terms.map(([term, text]) => helpLine(term, text)).join("\n");
	return { help: `${[`usage: ${usage}`, about, lines, ...notes].join("\n\n")}\n`, summary, syntax, maxArguments, run };
}

const TERM_COLUMNS = 23;

/** `  --limit <count>         how many`, and further lines below. */
export const helpLine = (term: string, text: string): string =>
	`  ${term.padEnd(TERM_COLUMNS)} ${text.replaceAll("\n", `\n${" ".repeat(TERM_COLUMNS + 3)}`)}`;
