/** The runner's configuration: the settings of ./settings.ts, validated once; all problems are reported together. */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { unknownVariables } from "@tapedeck/client-source/known-variables.ts";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { faultsOf } from "@tapedeck/contract/faults.ts";
import { jobNameSchema } from "@tapedeck/contract/job.ts";
import { MAX_BUFFER_SECONDS } from "@tapedeck/contract/labels.ts";
import { MAX_VIRTUAL_DISPLAYS } from "@tapedeck/contract/new-display.ts";
import { PLAIN_TEXT } from "@tapedeck/contract/plain-text.ts";
import { runnerNameSchema } from "@tapedeck/contract/runner.ts";
import {
	type GridUrlFault,
	gridUrlFault,
	MAX_FIRST_SESSION_TIMEOUT_SECONDS,
	normalizeGridUrl,
} from "@tapedeck/contract/stop-condition.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { FLAGS, type Flag } from "@tapedeck/machine/runner-variables.ts";
import * as z from "zod";
import { secondsOf } from "../base/length.ts";
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { type DisplayName, parseDisplayName } from "../displays/display-name.ts";
import { DISPLAY_MODE_NOTATION, displayModeIn } from "../displays/virtual-display.ts";
import type { VirtualDisplaySettings } from "../displays/virtual-displays.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import { booleanFlag } from "./boolean-flag.ts";
import { dockerSeleniumSettings } from "./docker-selenium.ts";
import { type JobRules, jobRulesOf, jobRulesShape } from "./job-rules.ts";
import {
	ConfigError,
	childEnvironment,
	defaultDataDir,
	type Environment,
	environment,
	fromEnvironment,
	readFlags,
	xauthorityFile,
} from "./settings.ts";
import { videoContradictions, videoOptionsOf, videoShape } from "./video-settings.ts";

export interface GridConfig {
	/** Without a trailing slash or `/wd/hub`. */
	url: string;
	username?: string;
	password?: string;
	/** The node whose sessions count: its id, URI or host. */
	node?: string;
}

export interface AutoRecordConfig {
	/** Whether each session of the grid becomes a recording of its own. */
	eachSession: boolean;
	jobName: string | undefined;
	grid: GridConfig | null;
	firstSessionTimeoutSeconds: number;
}

/** Settings for recording the console and the network of recorded browsers. */
export interface BrowserLogConfig {
	/** The grid for recordings that have no other grid; null for none. */
	grid: GridConfig | null;
}

/** A folder whose videos are uploaded. */
export interface WatchConfig {
	folder: string;
	/** Patterns of names and paths that are left out. */
	excluded: readonly string[];
	/** Null for no limit. */
	maxBytes: number | null;
}

export interface RunnerConfig {
	/** Base URL of the dashboard, without a trailing slash. */
	url: string;
	token: string;
	name: string;
	dataDir: string;
	autoRecord: AutoRecordConfig | null;
	browserLog: BrowserLogConfig | null;
	/** Masks secrets in the output and logs of programs on this machine. */
	mask: SecretMask;
	/** The value of DISPLAY; null when it is not set. */
	display: DisplayName | null;
	jobRules: JobRules;
	/** The video options of recordings that request none. */
	video: VideoOptions;
	/** The length of the buffer of each display, in seconds; null for none. */
	bufferSeconds: number | null;
	watch: WatchConfig | null;
	/** The folder whose files jobs may upload; null for none. */
	uploadDir: string | null;
	/** The displays that it may record. */
	allowedDisplays: AllowedDisplays;
	virtualDisplays: VirtualDisplaySettings;
	/** The grids that it may poll. */
	allowedGrids: AllowedGrids;
	/** Whether it follows the dashboard's version. */
	autoUpgrade: boolean;
	/** Whether it leaves the dashboard's list once it has stopped and delivered everything. */
	ephemeral: boolean;
	ffmpeg: string;
	xauthority: string;
	/** Environment of ffmpeg and the watchdog, without secrets. */
	childEnv: NodeJS.ProcessEnv;
}

const httpUrl = z
	.string({ error: "Set it to the dashboard's base URL, such as http://tapedeck.example:3000." })
	.trim()
	.superRefine((value, ctx) => {
		const url = URL.canParse(value) ? new URL(value) : null;
		if (url === null || !/^https?:$/.test(url.protocol)) {
			ctx.addIssue({ code: "custom", message: "Use an absolute URL that begins with http:// or https://." });
		} else if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
			ctx.addIssue({ code: "custom", message: "Use a URL without credentials, ? and #." });
		}
	})
	.transform((value) => value.replace(/\/+$/, ""));

/** True, false, or one recording for each session. */
const autoRecordFlag = z.union([z.literal("session"), booleanFlag], { error: "Use true, false or session." });

/** A schema of an allow list. @param parse returns the list, or an error message. */
const allowList = <List extends object>(parse: (text: string) => List | string, all: List) =>
	z
		.string()
		.optional()
		.transform((text, ctx): List => {
			const list = text === undefined ? all : parse(text);
			if (typeof list !== "string") return list;
			ctx.addIssue({ code: "custom", message: list });
			return z.NEVER;
		});

const GRID_URL_MESSAGES: Record<GridUrlFault, string> = {
	unsafe_characters: "Use a URL without spaces and control characters.",
	not_absolute: "Use an absolute URL, such as http://selenium:4444.",
	not_http: "Use a URL that begins with http:// or https://.",
	credentials: "Leave the credentials out of the URL; set SE_GRID_USERNAME and SE_GRID_PASSWORD instead.",
	query: "Leave out everything from ? or # on; the status path is appended to this URL.",
};

const MIN_BUFFER_SECONDS = 10;
const BUFFER = `Use a length from ${MIN_BUFFER_SECONDS}s to ${MAX_BUFFER_SECONDS / 3_600}h, such as 90s, 2m or 1h.`;

const VIRTUAL_DISPLAYS = `Use a whole number from 0 to ${MAX_VIRTUAL_DISPLAYS}.`;

const settingsSchema = z
	.object({
		url: httpUrl,
		token: z
			.string({ error: "Set it to a runner token. Create one in the dashboard under Runners, Add runner." })
			.trim()
			.min(1, { error: "Set it to a runner token. Create one in the dashboard under Runners, Add runner." })
			.regex(/^[\x21-\x7e]*$/, { error: "Use the token exactly as it was shown, without spaces." }),
		name: runnerNameSchema,
		"data-dir": z.string().min(1, { error: "Use the path of a directory." }),
		"auto-record": autoRecordFlag.default(false),
		"job-name": jobNameSchema.optional(),
		"grid-url": z
			.string()
			.trim()
			.superRefine((value, ctx) => {
				const fault = gridUrlFault(value);
				if (fault !== null) ctx.addIssue({ code: "custom", message: GRID_URL_MESSAGES[fault] });
			})
			.transform(normalizeGridUrl)
			.optional(),
		"grid-username": z
			.string()
			.min(1)
			.regex(/^[^:]*$/, { error: "Use a user name without a colon (RFC 7617)." })
			.regex(PLAIN_TEXT, { error: "Use a user name without control characters (RFC 7617)." })
			.optional(),
		"grid-password": z
			.string()
			.min(1)
			.regex(PLAIN_TEXT, { error: "Use a password without control characters (RFC 7617)." })
			.optional(),
		"grid-node": z
			.string()
			.trim()
			.min(1)
			.max(500, { error: "Use at most 500 characters." })
			.regex(PLAIN_TEXT, { error: "Use a node's id, its URI or its host, without control characters." })
			.optional(),
		"browser-log": booleanFlag.default(false),
		"first-session-timeout": z
			.string()
			.trim()
			.regex(/^\d{1,5}$/, { error: `Use a whole number of seconds from 0 to ${MAX_FIRST_SESSION_TIMEOUT_SECONDS}.` })
			.transform(Number)
			.refine((value) => value <= MAX_FIRST_SESSION_TIMEOUT_SECONDS, {
				error: `Use at most ${MAX_FIRST_SESSION_TIMEOUT_SECONDS} seconds.`,
			})
			.default(60),
		display: z
			.string()
			.trim()
			.refine((value) => parseDisplayName(value) !== null, {
				error: "Use :99, :99.0 or <host>:<number>.",
			})
			.optional(),
		...jobRulesShape,
		...videoShape,
		buffer: z
			.string()
			.trim()
			.transform((text) => secondsOf(text) ?? 0)
			.refine((seconds) => seconds >= MIN_BUFFER_SECONDS && seconds <= MAX_BUFFER_SECONDS, { error: BUFFER })
			.optional(),
		"watch-dir": z.string().min(1, { error: "Use the path of a directory." }).optional(),
		"upload-dir": z.string().min(1, { error: "Use the path of a directory." }).optional(),
		"watch-exclude": z
			.string()
			.optional()
			.transform((text = "") =>
				text
					.split(",")
					.map((pattern) => pattern.trim())
					.filter((pattern) => pattern !== ""),
			),
		"watch-max-bytes": z
			.string()
			.trim()
			.regex(/^[1-9]\d{0,14}$/, { error: "Use a whole number of bytes, such as 2000000000." })
			.transform(Number)
			.optional(),
		"grid-allow": allowList(AllowedGrids.parse, AllowedGrids.all),
		"display-allow": allowList(AllowedDisplays.parse, AllowedDisplays.all),
		"virtual-displays": z
			.string()
			.trim()
			.regex(/^\d{1,5}$/, { error: VIRTUAL_DISPLAYS })
			.transform(Number)
			.refine((count) => count <= MAX_VIRTUAL_DISPLAYS, { error: VIRTUAL_DISPLAYS })
			.default(0),
		"virtual-display-size": z
			.string()
			.transform(displayModeIn)
			.refine((mode) => mode !== null, { error: DISPLAY_MODE_NOTATION })
			.prefault("1920x1080"),
		"auto-upgrade": booleanFlag.default(false),
		ephemeral: booleanFlag.default(false),
		ffmpeg: z.string().min(1).default("ffmpeg"),
	})
	.superRefine((settings, ctx) => {
		if (settings["grid-password"] !== undefined && settings["grid-username"] === undefined) {
			ctx.addIssue({
				code: "custom",
				path: ["grid-username"],
				message: "Set the user name too: a grid password needs one.",
			});
		}
		for (const { flag, message } of videoContradictions(settings))
			ctx.addIssue({ code: "custom", path: [flag], message });
		if (!settings["auto-record"] && !settings["browser-log"]) return;
		const { "grid-url": gridUrl, display } = settings;
		if (settings["auto-record"] === "session" && gridUrl === undefined) {
			const message = "Set it to the URL of the grid: a recording for each session needs one.";
			ctx.addIssue({ code: "custom", path: ["grid-url"], message });
		}
		const outside = (path: Flag, list: Flag) =>
			ctx.addIssue({
				code: "custom",
				path: [path],
				message: `Use one that is in ${FLAGS[list][0]}, or add this one to it: it applies to auto-record too.`,
			});
		if (gridUrl !== undefined && !settings["grid-allow"].has(gridUrl)) outside("grid-url", "grid-allow");
		if (!settings["auto-record"]) return;
		const name = display === undefined ? null : parseDisplayName(display);
		if (name !== null && !settings["display-allow"].has(name)) outside("display", "display-allow");
	});

/**
 * Reads flags (the arguments after `tapedeck runner`) and environment.
 * @throws ConfigError that names every problem at once.
 */
export function readConfig(argv: readonly string[], env: Environment = environment()): RunnerConfig {
	const { values, problems } = readFlags(argv);
	for (const { name, meant } of unknownVariables(env)) {
		const remedy = meant === null ? "Remove it." : `Did you mean ${meant}?`;
		problems.push({ setting: name, message: `Not a variable of Tapedeck. ${remedy}` });
	}
	const raw: Partial<Record<Flag, string>> = {};
	const fromDocker = dockerSeleniumSettings(env);
	for (const name of Object.keys(FLAGS) as Flag[]) {
		const value = values[name] ?? fromEnvironment(env, name) ?? fromDocker[name];
		if (value !== undefined) raw[name] = value;
	}
	raw.name ??= hostname();
	raw["data-dir"] ??= defaultDataDir(env, raw.name);

	const parsed = settingsSchema.safeParse(raw);
	if (!parsed.success) {
		for (const fault of faultsOf(parsed.error.issues, raw)) {
			const variable = FLAGS[fault.path as Flag]?.[0] ?? fault.path;
			problems.push({ setting: variable, message: fault.message.replace(/^Required\. /, "") });
		}
	}
	if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
	const settings = parsed.data;
	const grid = gridOf(settings);
	const uploadDir = settings["upload-dir"] ?? settings["watch-dir"];
	return {
		url: settings.url,
		token: settings.token,
		name: settings.name,
		dataDir: resolve(settings["data-dir"]),
		autoRecord: settings["auto-record"]
			? {
					eachSession: settings["auto-record"] === "session",
					jobName: settings["job-name"],
					firstSessionTimeoutSeconds: settings["first-session-timeout"],
					grid,
				}
			: null,
		browserLog: settings["browser-log"] ? { grid } : null,
		mask: new SecretMask(env),
		display: settings.display === undefined ? null : parseDisplayName(settings.display),
		jobRules: jobRulesOf(settings),
		video: videoOptionsOf(settings),
		bufferSeconds: settings.buffer ?? null,
		watch:
			settings["watch-dir"] === undefined
				? null
				: {
						folder: resolve(settings["watch-dir"]),
						excluded: settings["watch-exclude"],
						maxBytes: settings["watch-max-bytes"] ?? null,
					},
		uploadDir: uploadDir === undefined ? null : resolve(uploadDir),
		allowedDisplays: settings["display-allow"],
		virtualDisplays: { maximum: settings["virtual-displays"], mode: settings["virtual-display-size"] },
		allowedGrids: settings["grid-allow"],
		autoUpgrade: settings["auto-upgrade"],
		ephemeral: settings.ephemeral,
		ffmpeg: settings.ffmpeg,
		xauthority: xauthorityFile(env),
		childEnv: childEnvironment(env),
	};
}

/** Reads the video options of recordings that request none. Ignores all settings if one of them is invalid. */
export function readVideo(env: Environment): VideoOptions {
	const fromDocker = dockerSeleniumSettings(env);
	const names = Object.keys(videoShape) as (keyof typeof videoShape)[];
	const given = Object.fromEntries(names.map((name) => [name, fromEnvironment(env, name) ?? fromDocker[name]]));
	const { success, data } = z.object(videoShape).safeParse(given);
	return success && videoContradictions(data).length === 0 ? videoOptionsOf(data) : {};
}

function gridOf(settings: z.output<typeof settingsSchema>): GridConfig | null {
	const { "grid-url": url, "grid-username": username, "grid-password": password, "grid-node": node } = settings;
	return url === undefined ? null : { url, username, password, node };
}
