/** `tapedeck completion`: the script that completes commands and flags in a shell. */
import { type Call, type Command, type CommandEntries, EXIT, type ExitStatus, usageError } from "./command.ts";
import { bashScript } from "./completion-bash.ts";
import { fishScript } from "./completion-fish.ts";
import { type CommandWords, readWords } from "./completion-words.ts";
import { zshScript } from "./completion-zsh.ts";
import { defineCommand, option } from "./define-command.ts";

const SCRIPTS: Record<string, (commands: readonly CommandWords[]) => string> = {
	bash: bashScript,
	zsh: zshScript,
	fish: fishScript,
};

async function printScript(
	{ positionals: [shell], print }: Call,
	readAll: () => Promise<CommandWords[]>,
): Promise<ExitStatus> {
	const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
	if (script === undefined) throw usageError(`Name the shell: ${Object.keys(SCRIPTS).join(", ")}.`);
	const text = script(await readAll());
	print({ script: text }, text.trimEnd());
	return EXIT.done;
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
		maxArguments: 1,
		run: (call) => printScript(call, () => readWords(commands, runnerAbout)),
	});
