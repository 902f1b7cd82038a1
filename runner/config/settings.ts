/**
 * Settings from the command line and the environment, before validation: flags beat variables, and `TAPEDECK_X` beats
 * the literal `SERVICE_X` of the specification. Loads little, so that commands start fast.
 */
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FLAGS, type Flag } from "@tapedeck/machine/runner-variables.ts";

export interface ConfigProblem {
	/** The variable or flag. */
	setting: string;
	/** The valid values, as a sentence. */
	message: string;
}

/** All problems of a configuration; the message has one line for each. */
export class ConfigError extends Error {
	override name = "ConfigError";
	readonly problems: readonly ConfigProblem[];

	constructor(problems: readonly ConfigProblem[]) {
		super(problems.map(({ setting, message }) => `${setting}: ${message}`).join("\n"));
		this.problems = problems;
	}
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a flag's variable; an empty one counts as not set. */
export function fromEnvironment(env: Environment, name: Flag): string | undefined {
	const variable = FLAGS[name][0];
	const literal = variable.startsWith("TAPEDECK_") ? env[variable.replace("TAPEDECK_", "SERVICE_")] : undefined;
	return env[variable] || literal || undefined;
}

/** Reads flags. @returns their values, and the problems of those that are invalid. */
export function readFlags(argv: readonly string[]): {
	values: Partial<Record<Flag, string>>;
	problems: ConfigProblem[];
} {
	const options = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, { type: "string" as const }]));
	const values: Partial<Record<Flag, string>> = {};
	const problems: ConfigProblem[] = [];
	const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
	for (const token of tokens) {
		if (token.kind === "positional") problems.push({ setting: token.value, message: "Unknown argument. Remove it." });
		if (token.kind !== "option") continue;
		if (!(token.name in FLAGS)) problems.push({ setting: token.rawName, message: "Unknown flag. See --help." });
		else if (token.value !== undefined) values[token.name as Flag] = token.value;
		else if (["auto-record", "auto-upgrade", "browser-log", "ephemeral"].includes(token.name))
			values[token.name as Flag] = "true";
		else problems.push({ setting: token.rawName, message: "Its value is missing." });
	}
	return { values, problems };
}

/** The environment of this process. */
export function environment(): Environment {
	return process.env;
}

/** The user's home folder; "/" for a user without an account, as in a container that any user may run. */
export function homeFolder(): string {
	try {
		return homedir();
	} catch {
		return "/";
	}
}

/** The folder of data directories that are not configured. */
export function stateFolder(env: Environment): string {
	const home = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : join(homeFolder(), ".local", "state");
	return join(home, "tapedeck");
}

/** The default data directory: one per runner name, so that one machine can have several runners. */
export function defaultDataDir(env: Environment, runnerName: string = hostname()): string {
	return join(stateFolder(env), `runner-${runnerName.trim().replaceAll(/[^\w.-]+/g, "_")}`);
}

const CHILD_VARIABLES = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "XAUTHORITY", "TMPDIR"];

/** Environment of ffmpeg and the watchdog: no secrets in it. */
export function childEnvironment(env: Environment): NodeJS.ProcessEnv {
	const kept = CHILD_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
	return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

/** The file with the authorization cookies of X displays. */
export const xauthorityFile = (env: Environment): string => env.XAUTHORITY || join(homeFolder(), ".Xauthority");
