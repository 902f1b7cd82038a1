/**
 * Settings from the command line and the environment, before validation: flags beat variables, and `TAPEDECK_X` beats
 * the literal `SERVICE_X` of the specification. Loads nothing else, so that commands start fast.
 */
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Flags, with the variable and the help text of each. */
export const FLAGS = {
	url: ["TAPEDECK_URL", "the dashboard's base URL, such as http://tapedeck.example:3000"],
	token: [
		"TAPEDECK_TOKEN",
		"the runner token (prefer the variable: a flag is visible in the process list for a moment)",
	],
	name: ["TAPEDECK_RUNNER_NAME", "the runner's name; default the host name"],
	"data-dir": ["TAPEDECK_DATA_DIR", "identity and spool; default under the XDG state directory"],
	"auto-record": [
		"TAPEDECK_AUTO_RECORD",
		"true: start recording at once, without an API call; session: one recording for each session of the grid",
	],
	"job-name": ["TAPEDECK_JOB_NAME", "the auto-record job's name"],
	"grid-url": ["SE_GRID_URL", "the grid whose sessions auto-record follows"],
	"grid-username": ["SE_GRID_USERNAME", "user name for the grid"],
	"grid-password": ["SE_GRID_PASSWORD", "password for the grid (prefer the variable, too)"],
	"grid-node": ["TAPEDECK_GRID_NODE", "the node of the grid whose sessions count: its id, URI or host; default all"],
	"first-session-timeout": [
		"TAPEDECK_FIRST_SESSION_TIMEOUT",
		"auto-record: seconds to wait for a first session before the idle timer applies; default 60",
	],
	labels: ["TAPEDECK_LABELS", "labels of every job it takes, such as pool=linux,build=123"],
	keep: ["TAPEDECK_KEEP", "failed: recordings of tests that passed are deleted after a while; default always"],
	"max-duration": ["TAPEDECK_MAX_DURATION", "seconds after which a recording without a duration ends; default none"],
	"video-preset": ["TAPEDECK_VIDEO_PRESET", "balanced, sharp (larger files) or small; default balanced"],
	"video-crf": ["TAPEDECK_VIDEO_CRF", "instead of a preset: x264's quality from 0 (lossless) to 51; default 28"],
	"video-max-bitrate": ["TAPEDECK_VIDEO_MAX_BITRATE", "the most bits per second, such as 1000k; default no limit"],
	"video-cursor": ["TAPEDECK_VIDEO_CURSOR", "false: record without the pointer; default true"],
	"grid-allow": [
		"TAPEDECK_GRID_ALLOW",
		"grids that may be polled, such as http://selenium:4444,*.grid.example; default all",
	],
	"auto-upgrade": [
		"TAPEDECK_AUTO_UPGRADE",
		"true: follow the dashboard's version whenever there is nothing to record or upload; default false",
	],
	display: ["DISPLAY", "the display to record: :99, :99.0 or <host>:<number>"],
	"display-allow": ["TAPEDECK_DISPLAY_ALLOW", "displays that may be recorded, such as :99,:0.0; default all"],
	ffmpeg: ["TAPEDECK_FFMPEG", "another ffmpeg than the one on the path"],
} as const satisfies Record<string, readonly [string, string]>;
export type Flag = keyof typeof FLAGS;

export interface ConfigProblem {
	/** The variable or flag. */
	setting: string;
	/** What to give instead, as a sentence. */
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
		else if (token.name === "auto-record" || token.name === "auto-upgrade") values[token.name] = "true";
		else problems.push({ setting: token.rawName, message: "Its value is missing." });
	}
	return { values, problems };
}

/** The variable by which `tapedeck run` starts a runner of its own; see Agent. */
export const TEMPORARY = "TAPEDECK_TEMPORARY_RUNNER";

/** Of a recorded command: the folder of its recording in the spool, with which `tapedeck mark` finds its runner. */
export const RUN_FOLDER = "TAPEDECK_RUN";

/** Also of a recorded command: its job, and the page of it. */
export const JOB_ID = "TAPEDECK_JOB_ID";
export const JOB_URL = "TAPEDECK_JOB_URL";

/** Of commands that call the dashboard as a script does. */
export const API_KEY = "TAPEDECK_API_KEY";

/** The names of all variables that runners and commands read or set. */
export const RUNNER_VARIABLES: readonly string[] = [
	...Object.values(FLAGS).map(([variable]) => variable),
	...[TEMPORARY, RUN_FOLDER, JOB_ID, JOB_URL, API_KEY],
];

/** The environment of this process. */
export function environment(): Environment {
	return process.env;
}

/** The folder of data directories that are not configured. */
export function stateFolder(env: Environment): string {
	const home = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : join(homedir(), ".local", "state");
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
export const xauthorityFile = (env: Environment): string => env.XAUTHORITY || join(homedir(), ".Xauthority");
