/**
 * What the words of a command line and the environment say, before it is judged: flags beat environment,
 * `TAPEDECK_X` beats the literal `SERVICE_X` of the specification. Loads nothing else, for commands that are to
 * answer at once.
 */
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Flags, the variable behind each, and the words of its help line. */
export const FLAGS = {
	url: ["TAPEDECK_URL", "the dashboard's base URL, such as http://tapedeck.example:3000"],
	token: ["TAPEDECK_TOKEN", "the runner token (better as the variable: a flag shows in the process list for a moment)"],
	name: ["TAPEDECK_RUNNER_NAME", "the runner's name; default the host name"],
	"data-dir": ["TAPEDECK_DATA_DIR", "identity and spool; default under the XDG state directory"],
	"auto-record": ["TAPEDECK_AUTO_RECORD", "true: record at start without an API call"],
	"job-name": ["TAPEDECK_JOB_NAME", "the auto-record job's name"],
	"grid-url": ["SE_GRID_URL", "the grid that auto-record watches"],
	"grid-username": ["SE_GRID_USERNAME", "user name for the grid"],
	"grid-password": ["SE_GRID_PASSWORD", "password for the grid (better as the variable, too)"],
	"first-session-timeout": [
		"TAPEDECK_FIRST_SESSION_TIMEOUT",
		"auto-record: seconds to wait for the first session before idleness counts; default 60",
	],
	"grid-allow": [
		"TAPEDECK_GRID_ALLOW",
		"grids that may be asked, such as http://selenium:4444,*.grid.example; default all",
	],
	display: ["DISPLAY", "the display to record: :99, :99.0 or <host>:<number>"],
	"display-allow": ["TAPEDECK_DISPLAY_ALLOW", "displays that are served, such as :99,:0.0; default all"],
	ffmpeg: ["TAPEDECK_FFMPEG", "another ffmpeg than the one on the path"],
} as const satisfies Record<string, readonly [string, string]>;
export type Flag = keyof typeof FLAGS;

/** Every problem of a configuration at once, one line each. */
export class ConfigError extends Error {
	override name = "ConfigError";
	readonly problems: string[];

	constructor(problems: string[]) {
		super(problems.join("\n"));
		this.problems = problems;
	}
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of a flag; an empty value counts as not set. */
export function fromEnvironment(env: Environment, name: Flag): string | undefined {
	const variable = FLAGS[name][0];
	const literal = variable.startsWith("TAPEDECK_") ? env[variable.replace("TAPEDECK_", "SERVICE_")] : undefined;
	return env[variable] || literal || undefined;
}

/** @returns what the flags say, and what is wrong with them. */
export function readFlags(argv: readonly string[]): { values: Partial<Record<Flag, string>>; problems: string[] } {
	const options = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, { type: "string" as const }]));
	const values: Partial<Record<Flag, string>> = {};
	const problems: string[] = [];
	const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
	for (const token of tokens) {
		if (token.kind === "positional") problems.push(`${token.value}: Leave it out: there is no such argument.`);
		if (token.kind !== "option") continue;
		if (!(token.name in FLAGS)) problems.push(`${token.rawName}: There is no such flag; --help lists them.`);
		else if (token.value !== undefined) values[token.name as Flag] = token.value;
		else if (token.name === "auto-record") values["auto-record"] = "true";
		else problems.push(`${token.rawName}: Give it a value.`);
	}
	return { values, problems };
}

/** The environment of this process. */
export function environment(): Environment {
	return process.env;
}

/** Where data directories lie that nobody named. */
export function stateFolder(env: Environment): string {
	const home = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : join(homedir(), ".local", "state");
	return join(home, "tapedeck");
}

/** The data directory of a runner that was given none: one folder a name, so that two can live on one machine. */
export function defaultDataDir(env: Environment, runnerName: string = hostname()): string {
	return join(stateFolder(env), `runner-${runnerName.trim().replaceAll(/[^\w.-]+/g, "_")}`);
}

const CHILD_VARIABLES = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "XAUTHORITY", "TMPDIR"];

/** Environment of ffmpeg and the watchdog: no secrets in it. */
export function childEnvironment(env: Environment): NodeJS.ProcessEnv {
	const kept = CHILD_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
	return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

/** The file with the cookies of X displays. */
export const xauthorityFile = (env: Environment): string => env.XAUTHORITY || join(homedir(), ".Xauthority");
