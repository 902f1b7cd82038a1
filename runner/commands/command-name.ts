/** The name of a recording after its command, as CI systems name their steps: the first line of what is run. */

import { isSecretName, type SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { shellQuoted } from "@tapedeck/contract/shell.ts";

/** Characters. Lists show about as many, and commands that differ later are rare: without results, the name is the test's. */
const MAX_LENGTH = 80;
const PLAIN_WORD = /^[\w@%+=:,./^~*-]+$/;
const SHELL = /^(?:ba|da|k|z)?sh$/;
/** The option of a shell that is followed by a script, such as -c, or with others in one word. */
const SCRIPT_OPTION = /^-[a-z]*c$/;
/** `--password hunter2`, `-Dapi.key=hunter2`, `DB_PASSWORD='hunter 2'`. */
const ASSIGNMENT = /(?<=^|\s)((?:-D|--?)[a-zA-Z][\w.-]*(?:=|\s+(?!-))|[a-zA-Z_]\w*=)('[^']*'|"[^"]*"|[^\s'"]\S*)/g;
/** Credentials in `https://user:password@host`. */
const CREDENTIALS = /(?<=:\/\/)[^\s/@]+(?=@)/g;

/**
 * Without what differs from machine to machine, which are the folders of absolute paths, and without secrets: those of the
 * mask, and the values of options and variables that are named like secrets.
 * @param words the program and its arguments. Of a shell with a script, the script is what is run.
 * @returns undefined when nothing visible is left.
 */
export function nameOfCommand(words: readonly string[], mask: SecretMask): string | undefined {
	// Also before quotes change it.
	const masked = words.map((word) => mask.applyToName(word));
	const line = mask.apply(withoutCredentials(lineOf(masked)));
	const name = sanitizeName(line, Number.POSITIVE_INFINITY);
	return (name.length > MAX_LENGTH ? `${sanitizeName(name, MAX_LENGTH - 1)}…` : name) || undefined;
}

/** The command as it is typed, or the first line of its script. */
function lineOf([program = "", option = "", script, ...more]: readonly string[]): string {
	const isScript = SHELL.test(baseOf(program)) && SCRIPT_OPTION.test(option) && script !== undefined;
	const text = isScript
		? script
		: [baseOf(program), option, script ?? "", ...more]
				.filter((word) => word !== "")
				.map(typed)
				.join(" ");
	return text.split(/[\r\n]/).find((line) => line.trim() !== "") ?? "";
}

const baseOf = (path: string): string => path.split("/").findLast((part) => part !== "") ?? path;

/** An absolute path by its last part, and quoted where a shell needs it. */
function typed(word: string): string {
	const short = /^\/[^\s:]+$/.test(word) ? baseOf(word) : word;
	return PLAIN_WORD.test(short) ? short : shellQuoted(short);
}

const withoutCredentials = (line: string): string =>
	line.replace(CREDENTIALS, "***").replace(ASSIGNMENT, (all, assigned: string) => {
		const name = assigned.replace(/^(?:-D|--?)|[=\s]+$/g, "").replaceAll(/[.-]/g, "_");
		return isSecretName(name) ? `${assigned}***` : all;
	});
