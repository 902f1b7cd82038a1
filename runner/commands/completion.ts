/**
 * `tapedeck completion`: the script by which a shell completes commands and flags. The script itself knows none of them: it calls
 * `tapedeck completion words` with what has been typed, so it stays true after an upgrade.
 */
import { FLAGS } from "@tapedeck/machine/runner-variables.ts";
import { type Command, type CommandEntries, EXIT, usageError } from "./command.ts";
import { defineCommand, option } from "./define-command.ts";

/** Each puts what is offered before its file names, which it offers if there is nothing else. */
const SCRIPTS: Record<string, string> = {
	bash: `# Completes tapedeck in bash, from version 3.2 on.
_tapedeck() {
	local IFS=$'\\n'
	COMPREPLY=($(tapedeck completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _tapedeck tapedeck`,
	zsh: `#compdef tapedeck
# Completes tapedeck in zsh: sourced, or as the file _tapedeck in a folder of $fpath.
_tapedeck() {
	local tab=$'\\t'
	local -a offered
	offered=("\${(@f)$(tapedeck completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
	# A colon is in front of the description.
	offered=("\${(@)offered//:/\\\\:}")
	offered=("\${(@)offered/$tab/:}")
	if [[ -n "$offered" ]]; then _describe tapedeck offered; else _files; fi
}
if [ "\${funcstack[1]}" = _tapedeck ]; then _tapedeck "$@"; else compdef _tapedeck tapedeck; fi`,
	fish: `# Completes tapedeck in fish.
function __tapedeck_offers
	set -g __tapedeck_offered (tapedeck completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
	test -n "$__tapedeck_offered"
end
complete -c tapedeck -f -n __tapedeck_offers -a '$__tapedeck_offered'`,
};

interface Word {
	name: string;
	about: string;
	/** For a flag: the next word is its value. */
	takesValue?: boolean;
}

const HELP: Word = { name: "--help", about: "show the help" };

const flagsOf = ({ syntax }: Command): Word[] => [
	...syntax.options.map(({ long, description, required }) => ({
		...{ name: long ?? "", about: description.split("\n")[0] ?? "" },
		takesValue: required,
	})),
	HELP,
];

/** The commands and flags that may follow the words before the one that is typed. */
async function following(
	entries: CommandEntries,
	runnerAbout: string,
	before: readonly string[],
): Promise<{ commands: Word[]; flags: Word[] }> {
	const [first, second] = before;
	const all = [
		{ name: "runner", about: runnerAbout },
		...Object.entries(entries).map(([name, { about }]) => ({ name, about })),
	];
	if (first === undefined) {
		const commands = [...all, { name: "help", about: "show the help of a command" }];
		return { commands, flags: [HELP, { name: "--version", about: "print the version" }] };
	}
	if (first === "help") return { commands: second === undefined ? all : [], flags: [] };
	if (first === "runner") {
		const flags = Object.entries(FLAGS).map(([name, [, about]]) => ({ name: `--${name}`, about, takesValue: true }));
		return { commands: [], flags: [...flags, HELP] };
	}
	const command = await entries[first]?.load().then((loaded) => loaded.command);
	if (command === undefined) return { commands: [], flags: [] };
	if (!("commands" in command)) return { commands: [], flags: flagsOf(command) };
	const chosen = second === undefined ? undefined : command.commands[second];
	if (chosen !== undefined) return { commands: [], flags: flagsOf(chosen) };
	const commands = Object.entries(command.commands).map(([name, { summary }]) => ({ name, about: summary }));
	return { commands: second === undefined ? commands : [], flags: [HELP] };
}

/** @param typed the words after `tapedeck`, of which the user is still typing the last. @returns the offered words. */
export async function completionsOf(
	entries: CommandEntries,
	runnerAbout: string,
	typed: readonly string[],
): Promise<Word[]> {
	const before = typed.slice(0, -1);
	const current = typed.at(-1) ?? "";
	// Another command follows.
	if (before.includes("--")) return [];
	const { commands, flags } = await following(entries, runnerAbout, before);
	// Values are files, or only the user knows them.
	if (flags.some(({ name, takesValue }) => takesValue && name === before.at(-1))) return [];
	return (current.startsWith("-") ? flags : commands).filter(({ name }) => name.startsWith(current));
}

/** @param commands all of them. @param runnerAbout what `tapedeck runner` is for. */
export const completionCommand = (commands: CommandEntries, runnerAbout: string): Command =>
	defineCommand({
		usage: "tapedeck completion bash|zsh|fish",
		about: `Prints the script that completes commands and flags of tapedeck. To load it whenever the shell starts:

  bash   tapedeck completion bash > ~/.local/share/bash-completion/completions/tapedeck
         or, without the package bash-completion, in ~/.bashrc: source <(tapedeck completion bash)
  zsh    in ~/.zshrc, after compinit: source <(tapedeck completion zsh)
  fish   tapedeck completion fish > ~/.config/fish/completions/tapedeck.fish`,
		options: [option("--json", 'print the script as JSON, errors too: {"error": {"code", "message"}}')],
		notes: ["exit status: 0 done, 2 invalid command line"],
		maxArguments: Number.POSITIVE_INFINITY,
		async run({ positionals: [shell = "", ...typed], print }) {
			if (shell === "words") {
				const words = await completionsOf(commands, runnerAbout, typed);
				print(words, words.map(({ name, about }) => `${name}\t${about}`).join("\n"));
				return EXIT.done;
			}
			const script = Object.hasOwn(SCRIPTS, shell) && typed.length === 0 ? SCRIPTS[shell] : undefined;
			if (script === undefined) throw usageError(`Name the shell: ${Object.keys(SCRIPTS).join(", ")}.`);
			print({ script: `${script}\n` }, script);
			return EXIT.done;
		},
	});
