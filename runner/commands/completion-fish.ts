import type { CommandWords, FlagWords } from "./completion-words.ts";

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const flagLines = (condition: string, flags: readonly FlagWords[]): string[] =>
	flags.map(
		({ name, about, takesValue }) =>
			`complete -c tapedeck -n '${condition}' -l ${name}${takesValue ? " -r" : ""} -d ${quoted(about)}`,
	);

const wordLines = (condition: string, commands: readonly CommandWords[]): string[] =>
	commands.map(({ name, about }) => `complete -c tapedeck -f -n '${condition}' -a ${name} -d ${quoted(about)}`);

const linesOf = ({ name, flags, commands }: CommandWords): string[] =>
	commands.length === 0
		? flagLines(`__tapedeck_begins ${name}`, flags)
		: [
				...wordLines(`__tapedeck_is ${name}`, commands),
				...commands.flatMap((each) => flagLines(`__tapedeck_begins ${name} ${each.name}`, each.flags)),
			];

/** A script that completes in fish. */
export const fishScript = (commands: readonly CommandWords[]): string => `# Completes tapedeck in fish.
function __tapedeck_is -d 'Whether exactly these words were typed'
	set -l typed (commandline -opc)
	test (count $typed) -eq (math (count $argv) + 1); and test "$typed[2..]" = "$argv"
end
function __tapedeck_begins -d 'Whether these words were typed first, and no other command follows'
	set -l typed (commandline -opc)
	contains -- -- $typed; and return 1
	set -l end (math (count $argv) + 1)
	test (count $typed) -ge $end; and test "$typed[2..$end]" = "$argv"
end
${[
	...wordLines("__tapedeck_is", commands),
	...wordLines("__tapedeck_is help", commands),
	"complete -c tapedeck -n __tapedeck_is -l version -d 'print the version'",
	"complete -c tapedeck -n __tapedeck_is -l help -d 'show the help'",
	...commands.flatMap(linesOf),
].join("\n")}
`;
