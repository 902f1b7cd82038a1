import type { CommandWords, FlagWords } from "./completion-words.ts";

const names = (flags: readonly FlagWords[]): string => flags.map(({ name }) => `--${name}`).join(" ");
const valued = (flags: readonly FlagWords[]): string => names(flags.filter(({ takesValue }) => takesValue));

/** A `case` of the words typed so far: the words that fit there, and which flags take a value. */
function caseOf({ name, flags, commands }: CommandWords): string {
	if (commands.length === 0) return `\t\t"${name} "*) flags='${names(flags)}' valued='${valued(flags)}' ;;`;
	return [
		...commands.map(
			(each) => `\t\t"${name} ${each.name} "*) flags='${names(each.flags)}' valued='${valued(each.flags)}' ;;`,
		),
		`\t\t"${name} ") words='${commands.map((each) => each.name).join(" ")}' flags='--help' ;;`,
	].join("\n");
}

/** A script that completes in bash, from version 3.2 on. */
export const bashScript = (commands: readonly CommandWords[]): string => `# Completes tapedeck in bash.
_tapedeck() {
	local current="\${COMP_WORDS[COMP_CWORD]}" previous='' typed='' words='' flags='' valued='' at
	COMPREPLY=()
	for ((at = 1; at < COMP_CWORD; at++)); do
		# Another command follows.
		[ "\${COMP_WORDS[at]}" != -- ] || return
		typed+="\${COMP_WORDS[at]} "
		previous="\${COMP_WORDS[at]}"
	done
	case "$typed" in
		'') words='${commands.map(({ name }) => name).join(" ")} help' flags='--help --version' ;;
		'help ') words='${commands.map(({ name }) => name).join(" ")}' ;;
${commands.map(caseOf).join("\n")}
	esac
	# Values are files, or what only the person knows.
	[[ -z "$previous" || " $valued " != *" $previous "* ]] || return
	[[ "$current" != -* ]] || words="$flags"
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tapedeck tapedeck
`;
