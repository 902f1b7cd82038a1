import { shellQuoted } from "@tapedeck/contract/shell.ts";
import type { CommandWords, FlagWords } from "./completion-words.ts";

/** As _describe takes them: a colon in front of the description. */
const described = (word: string, about: string): string =>
	shellQuoted(about === "" ? word : `${word}:${about.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}`);
const flagList = (flags: readonly FlagWords[]): string =>
	flags.map(({ name, about }) => described(`--${name}`, about)).join(" ");
const commandList = (commands: readonly CommandWords[]): string =>
	commands.map(({ name, about }) => described(name, about)).join(" ");
const valued = (flags: readonly FlagWords[]): string =>
	flags
		.filter(({ takesValue }) => takesValue)
		.map(({ name }) => `--${name}`)
		.join(" ");

function caseOf({ name, flags, commands }: CommandWords): string {
	if (commands.length === 0) return `\t\t"${name} "*) flags=(${flagList(flags)}) valued=(${valued(flags)}) ;;`;
	return [
		...commands.map(
			(each) => `\t\t"${name} ${each.name} "*) flags=(${flagList(each.flags)}) valued=(${valued(each.flags)}) ;;`,
		),
		`\t\t"${name} ") commands=(${commandList(commands)}) flags=('--help:show the help') ;;`,
	].join("\n");
}

/** A script that completes in zsh: sourced, or as the file _tapedeck in a folder of $fpath. */
export const zshScript = (commands: readonly CommandWords[]): string => `#compdef tapedeck
# Completes tapedeck in zsh.
_tapedeck() {
	local typed previous="\${words[CURRENT-1]}"
	local -a commands flags valued
	# Another command follows.
	if (( \${words[(I)--]} && \${words[(I)--]} < CURRENT )); then
		_files
		return
	fi
	typed="\${(j: :)words[2,CURRENT-1]} "
	[[ $typed != ' ' ]] || typed=''
	case "$typed" in
		'') commands=(${commandList(commands)} 'help:show the help of a command') flags=('--help:show the help' '--version:print the version') ;;
		'help ') commands=(${commandList(commands)}) ;;
${commands.map(caseOf).join("\n")}
	esac
	if (( \${valued[(Ie)$previous]} )); then
		_files
	elif [[ "\${words[CURRENT]}" == -* ]]; then
		_describe flag flags
	elif (( \${#commands} )); then
		_describe command commands
	else
		_files
	fi
}
if [ "\${funcstack[1]}" = _tapedeck ]; then
	_tapedeck "$@"
else
	compdef _tapedeck tapedeck
fi
`;
