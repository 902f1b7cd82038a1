/** The reporter's options and their defaults. */
import { ciLabels, type Job, type RecordOptions } from "@tapedeck/client";

export interface TapedeckReporterOptions
	extends Pick<RecordOptions, "selector" | "name" | "labels" | "keep" | "video" | "maxDurationSeconds"> {
	/** The dashboard's address; default TAPEDECK_URL. */
	url?: string;
	/** Default TAPEDECK_API_KEY. */
	apiKey?: string;
	/**
	 * The record of the results: a recording of the `display`, or a test run of its `own`, which needs no display. With
	 * `auto`, the default, a display is recorded if the options name one, or if the browsers are shown on one that a runner has.
	 */
	record?: "display" | "own" | "auto";
	/** The recorded display, such as `:99`; default DISPLAY. */
	displayId?: string;
	/** The size of the workers' displays with `tapedeckDisplay`; default 1280 by 840. */
	displaySize?: { width: number; height: number };
	/** The name of the runner that records; default that of this machine, or the only one that has the display. */
	runner?: string;
	/**
	 * Steps that results have in addition to failed ones: those of `test.step`, all actions and assertions of tests, or none.
	 * Default `test.step`.
	 */
	steps?: "test.step" | "all" | "none";
	/**
	 * Whether a run passes whose failures all have causes that a user lets pass in the dashboard, as with
	 * `tapedeck run --gate`. Default false.
	 */
	gate?: boolean;
	/** Maximum time to wait for the first frame before tests start, in seconds. Default: 20. */
	startTimeoutSeconds?: number;
	/** Maximum time that the end waits until the video plays, in seconds. Default: 60. */
	playableTimeoutSeconds?: number;
}

/** The pipe on which the program that begins the recording answers. */
export const ANSWER_FD = 3;

/** One recording to begin. The program that begins recordings reads a list of them. */
export interface Beginning extends Omit<TapedeckReporterOptions, "steps" | "record" | "gate" | "displaySize"> {
	/** A job that records already. */
	jobId?: number;
	/** Whether the run does without a recording if no runner that is online has the display. */
	isAuto?: boolean;
	/** The size of the display to make, if `displayId` is `new`. */
	display?: { width: number; height: number };
	/** The number of displays that the run needs at the same time. */
	displaysNeeded?: number;
	startTimeoutSeconds: number;
}

/** Its answer when it fails. */
export interface NotBegun {
	error: string;
	/** No runner has the display. */
	isWithoutRunner: boolean;
}

/** Its answer for each recording, once all have begun. */
export interface Begun {
	job: Job;
	/** Measured difference by which this machine's clock is behind the dashboard's. */
	clockShiftMs?: number;
}

/** A run that was killed leaves a recording that nobody stops. */
const MAX_DURATION_SECONDS = 4 * 3_600;
const START_TIMEOUT_SECONDS = 20;

/** @param runName the job's name, unless there is one. */
export function beginningOf(options: TapedeckReporterOptions, runName: string, env: NodeJS.ProcessEnv): Beginning {
	const { url, apiKey, displayId = displayOf(env.DISPLAY), runner, selector, keep, video } = options;
	const { playableTimeoutSeconds } = options;
	const { TAPEDECK_JOB_ID: jobId = "" } = env;
	return {
		url,
		apiKey,
		displayId,
		runner,
		selector,
		keep,
		video,
		playableTimeoutSeconds,
		labels: { ...ciLabels(env), ...options.labels },
		name: options.name ?? runName,
		maxDurationSeconds: options.maxDurationSeconds ?? MAX_DURATION_SECONDS,
		startTimeoutSeconds: options.startTimeoutSeconds ?? START_TIMEOUT_SECONDS,
		...(/^\d+$/.test(jobId) ? { jobId: Number(jobId) } : {}),
	};
}

/**
 * The kind of record that receives the results of a run. `auto` if it depends on whether a runner has the display.
 * @param isHeaded whether the configuration shows the browsers of any project.
 */
export function placeOf(
	{ record = "auto", displayId, runner, selector }: TapedeckReporterOptions,
	isHeaded: boolean,
	env: NodeJS.ProcessEnv,
): "display" | "own" | "auto" {
	if (record !== "auto") return record;
	if (env.TAPEDECK_JOB_ID || (displayId ?? runner ?? selector) !== undefined) return "display";
	return isHeaded && displayOf(env.DISPLAY) !== undefined ? "auto" : "own";
}

/** `:99`, `:99.0` and `host:99` are display `:99`. */
const displayOf = (display: string | undefined): string | undefined => /:\d{1,5}(?=(\.\d+)?$)/.exec(display ?? "")?.[0];
