/**
 * All users of a machine can read command lines, but only a process's own user can read its environment. So secrets
 * given as flags are moved to the environment before anything else happens: the process becomes (by execve: same pid,
 * same standard streams) one that was started without the flags.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FLAGS, type Flag } from "@tapedeck/machine/runner-variables.ts";
import { environment } from "./settings.ts";

const SECRETS = ["token", "grid-password"] as const satisfies Flag[];
type Secret = (typeof SECRETS)[number];

/**
 * Returns when the command line contains no secrets (any more).
 * @param args the arguments after `tapedeck`; commands that accept secrets use the runner's flags.
 */
export function hideSecrets(args: readonly string[]): void {
	const { rest, secrets } = withoutSecrets(args);
	const given = Object.entries(secrets) as [Secret, string][];
	if (given.length === 0 || process.execve === undefined) return;
	for (const [flag, secret] of given) warnOfParents(flag, secret);
	const variables = Object.fromEntries(given.map(([flag, secret]) => [FLAGS[flag][0], secret]));
	const [node, program = ""] = process.argv;
	const env = { ...environment(), ...variables } as NodeJS.ProcessEnv;
	process.execve(process.execPath, [node ?? "node", ...process.execArgv, program, ...rest], env);
}

/** @returns the secrets of a command line (the last of each flag counts), and the remaining arguments. */
export function withoutSecrets(args: readonly string[]): { rest: string[]; secrets: Partial<Record<Secret, string>> } {
	const options = Object.fromEntries(
		[...Object.keys(FLAGS), "runner"].map((name) => [name, { type: "string" as const }]),
	);
	const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
	const rest: (string | null)[] = [...args];
	const secrets: Partial<Record<Secret, string>> = {};
	for (const token of tokens) {
		// An empty value stays, so that validation rejects it.
		if (token.kind !== "option" || !token.value || !isSecret(token.name)) continue;
		secrets[token.name] = token.value;
		rest[token.index] = null;
		if (!token.inlineValue) rest[token.index + 1] = null;
	}
	return { rest: rest.filter((word) => word !== null), secrets };
}

const isSecret = (name: string): name is Secret => (SECRETS as readonly string[]).includes(name);

/** Warns about a parent such as npm whose own command line still shows the secret. */
function warnOfParents(flag: Secret, secret: string): void {
	for (let pid = process.ppid; pid > 0; pid = parentOf(pid)) {
		const line = commandLineOf(pid);
		if (!line.includes(secret)) continue;
		const name = line.split(/[\0 ]/)[0];
		process.stderr.write(
			`warning: --${flag} can be read in the process list, in the command line of ${name} (pid ${pid}); ` +
				`set ${FLAGS[flag][0]} instead.\n`,
		);
	}
}

function commandLineOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8");
	} catch {
		return "";
	}
}

function parentOf(pid: number): number {
	try {
		const line = readFileSync(`/proc/${pid}/stat`, "latin1");
		return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1]);
	} catch {
		return 0;
	}
}
