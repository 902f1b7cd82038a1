/**
 * The create form's values, and the way from them to the body of `POST /v1/jobs`. Fields hold text; `parseJobForm`
 * validates it by the API's own schema and words each fault for the field that people see.
 */
import { faultsOf } from "@tapedeck/contract/faults.ts";
import { type CreateJob, createJobBodySchema, type Job, type NewJobBody } from "@tapedeck/contract/job.ts";
import { JOB_TYPES, type JobType } from "@tapedeck/contract/job-status.ts";
import { MAX_BUFFER_SECONDS } from "@tapedeck/contract/labels.ts";
import type { Fault } from "@tapedeck/contract/problem.ts";
import { KEEPS, type Keep, NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { createScheduleBodySchema, MAX_EVERY_SECONDS, MIN_EVERY_SECONDS } from "@tapedeck/contract/schedule.ts";
import {
	type GridUrlFault,
	gridUrlFault,
	MAX_DURATION_SECONDS,
	MAX_FIRST_SESSION_TIMEOUT_SECONDS,
	type StopCondition,
	type StopConditionConfig,
} from "@tapedeck/contract/stop-condition.ts";
import { VIDEO_PRESETS } from "@tapedeck/contract/video-kinds.ts";
import { type FieldErrors, get, type Path, type Resolver, set, type UseFormReturn } from "react-hook-form";
import { LABEL_MESSAGES, labelsIn } from "#components/recordings/label-lines.ts";
import {
	EMPTY_VIDEO,
	VIDEO_FIELDS,
	VIDEO_MESSAGES,
	type VideoValues,
	videoOf,
	videoValuesOf,
} from "#components/video/video-values.ts";

/** Every stop condition keeps what was typed for it, so that switching back and forth loses nothing. */
export interface JobFormValues {
	type: JobType;
	/** The file of an upload, on its runner. */
	path: string;
	name: string;
	/** A runner's id, or ANY_RUNNER. */
	runnerId: string;
	/** Empty for any display that is free, if any runner may take the job. */
	displayId: string;
	/** The labels that any runner must have which takes the job, as `key=value`, one a line. */
	runnerLabels: string;
	/** Labels as `key=value`, one a line. */
	labels: string;
	/** Empty for the default of the runner, else of the organization; likewise the cap. */
	keep: "" | Keep;
	maxDurationSeconds: string;
	/** Length of the display's past; empty for none. */
	preSeconds: string;
	/** The period of a schedule; empty for a single job. */
	everySeconds: string;
	video: VideoValues;
	stopCondition: StopCondition;
	config: { [C in StopCondition]: { [Field in keyof StopConditionConfig<C>]-?: string } };
}
export type JobForm = UseFormReturn<JobFormValues>;
export type JobFormField = Path<JobFormValues>;

/** Instead of a runner: the first that has the wanted labels and a free display. */
export const ANY_RUNNER = "any";

const EMPTY_GRID = { gridUrl: "", gridUsername: "", gridPassword: "", gridNode: "", firstSessionTimeoutSeconds: "" };

export const EMPTY_JOB_FORM: JobFormValues = {
	type: "recording",
	path: "",
	name: "",
	runnerId: "",
	displayId: "",
	runnerLabels: "",
	labels: "",
	keep: "",
	maxDurationSeconds: "",
	preSeconds: "",
	everySeconds: "",
	video: EMPTY_VIDEO,
	stopCondition: "duration",
	config: {
		duration: { durationSeconds: "30" },
		interrupt: {},
		selenium_idle: { ...EMPTY_GRID },
		selenium_session: { ...EMPTY_GRID, sessionId: "" },
	},
};

/** `T` before it is validated: a field may be missing, and hold text that is not a number. */
type Unvalidated<T> = { [Field in keyof T]?: T[Field] | string };
type UnvalidatedConfig = { [C in StopCondition]: Unvalidated<StopConditionConfig<C>> }[StopCondition];
/** Null for a line without an equals sign. */
type TypedLabels = Record<string, string | null>;
type UnvalidatedBody = Unvalidated<
	Pick<CreateJob, "runnerId" | "displayId" | "name" | "maxDurationSeconds" | "preSeconds">
> & {
	/** Instead of runner and display. */
	selector?: { labels: TypedLabels; display: string };
	labels: TypedLabels | undefined;
	keep: Keep | undefined;
	video: ReturnType<typeof videoOf> | undefined;
	stopCondition: StopCondition;
	stopConditionConfig: UnvalidatedConfig;
};

/** The body for what was typed, not validated: without empty fields, and without those of other types and stop conditions. */
export function bodyOf(values: JobFormValues): object {
	if (values.type === "screenshot") return screenshotOf(values);
	return values.type === "file_upload" ? fileUploadOf(values) : recordingOf(values);
}

/** The fields of jobs without a stop condition. They name their runner. */
const unconditionalOf = ({ type, runnerId, name, labels, keep }: JobFormValues) => ({
	type,
	runnerId: runnerId === ANY_RUNNER ? undefined : numberIn(runnerId),
	name: textIn(name),
	labels: labelsIn(labels),
	keep: keep === "" ? undefined : keep,
});

const fileUploadOf = (values: JobFormValues) => ({ ...unconditionalOf(values), path: textIn(values.path) });

function screenshotOf(values: JobFormValues) {
	const { displayId, video } = values;
	const shown = videoOf({ ...EMPTY_VIDEO, region: video.region, window: video.window });
	return {
		...unconditionalOf(values),
		displayId: textIn(displayId),
		video: Object.keys(shown).length === 0 ? undefined : shown,
	};
}

const recordingOf = (values: JobFormValues): UnvalidatedBody => ({
	...placeOf(values),
	name: textIn(values.name),
	labels: labelsIn(values.labels),
	keep: values.keep === "" ? undefined : values.keep,
	// A job with a duration has no other end.
	maxDurationSeconds: values.stopCondition === "duration" ? undefined : numberIn(values.maxDurationSeconds),
	preSeconds: numberIn(values.preSeconds),
	video: VIDEO_FIELDS.some((field) => values.video[field].trim() !== "") ? videoOf(values.video) : undefined,
	stopCondition: values.stopCondition,
	stopConditionConfig: configOf(values),
});

function placeOf({ runnerId, displayId, runnerLabels }: JobFormValues) {
	if (runnerId !== ANY_RUNNER) return { runnerId: numberIn(runnerId), displayId: textIn(displayId) };
	return { selector: { labels: labelsIn(runnerLabels) ?? {}, display: textIn(displayId) ?? "any" } };
}

function configOf({ stopCondition, config }: JobFormValues): UnvalidatedConfig {
	switch (stopCondition) {
		case "duration":
			return { durationSeconds: numberIn(config.duration.durationSeconds) };
		case "interrupt":
			return {};
		case "selenium_idle":
			return gridConfigOf(config.selenium_idle);
		case "selenium_session":
			return { ...gridConfigOf(config.selenium_session), sessionId: textIn(config.selenium_session.sessionId) };
	}
}

const gridConfigOf = (config: typeof EMPTY_GRID) => ({
	gridUrl: textIn(config.gridUrl),
	gridUsername: textIn(config.gridUsername),
	// A password may begin or end with a space.
	gridPassword: config.gridPassword === "" ? undefined : config.gridPassword,
	gridNode: textIn(config.gridNode),
	firstSessionTimeoutSeconds: numberIn(config.firstSessionTimeoutSeconds),
});

const textIn = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());

/** The number, or the text itself for the schema to refuse. */
function numberIn(text: string): number | string | undefined {
	const trimmed = textIn(text);
	return trimmed === undefined || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

export interface JobFormFault {
	/** Null when the form has no field for it. */
	field: JobFormField | null;
	code: string;
	message: string;
}

export type ParsedJobForm =
	/** `everySeconds` is null for a single job. */
	{ body: NewJobBody; everySeconds: number | null; faults: null } | { body: null; faults: JobFormFault[] };

/** @returns the body to send, or everything that is wrong with the form. */
export function parseJobForm(values: JobFormValues): ParsedJobForm {
	const body = bodyOf(values);
	const { data, error } = createJobBodySchema.safeParse(body);
	const every = periodSchema.safeParse(numberIn(values.everySeconds) ?? null);
	if (error === undefined && every.success) return { body: data, everySeconds: every.data, faults: null };
	const faults = error === undefined ? [] : faultsOf(error.issues, body);
	if (!every.success)
		faults.push(...faultsOf(every.error.issues, null).map((fault) => ({ ...fault, path: "everySeconds" })));
	return { body: null, faults: faults.map((fault) => jobFormFault(fault, values)) };
}

const periodSchema = createScheduleBodySchema.shape.everySeconds.nullable();

/** Fields that the form sends, and their places in the body, as typed. */
export function requestOf(values: JobFormValues): { path: "/v1/jobs" | "/v1/schedules"; body: object } {
	const everySeconds = numberIn(values.everySeconds);
	const job = bodyOf(values);
	return everySeconds === undefined
		? { path: "/v1/jobs", body: job }
		: { path: "/v1/schedules", body: { everySeconds, job } };
}

/** A fault of the API as the form shows it: with the form's field, and a message that speaks of what people see. */
export function jobFormFault({ path: sent, code, message }: Fault, values: JobFormValues): JobFormFault {
	const { stopCondition, config } = values;
	// A schedule has the job's body in it.
	const path = sent.replace(/^job\./, "");
	const name = fieldOf(path);
	const shared = ownValue(SHARED_MESSAGES, name);
	if (shared !== undefined) return { field: name as JobFormField, code, message: shared[code] ?? message };
	const videoField = VIDEO_FIELDS.find((field) => `${path}.`.startsWith(`video.${field}.`));
	if (videoField !== undefined) return { field: `video.${videoField}`, code, message: VIDEO_MESSAGES[videoField] };
	const key = /^stopConditionConfig\.(\w+)$/.exec(path)?.[1] ?? "";
	const messages = ownValue(CONFIG_MESSAGES[stopCondition], key);
	if (messages === undefined) return { field: null, code, message };
	// The API has one code for everything that is wrong with the URL itself.
	const url = key === "gridUrl" && code === "invalid" ? get(config[stopCondition], key) : undefined;
	const reason = typeof url === "string" ? (gridUrlFault(url.trim()) ?? code) : code;
	return { field: `config.${stopCondition}.${key}` as JobFormField, code, message: messages[reason] ?? message };
}

/** A fault of one label, whose key may have dots in it, is one of the field. */
function fieldOf(path: string): string {
	if (path.startsWith("labels.")) return "labels";
	if (/^selector\.labels(\.|$)/.test(path)) return "runnerLabels";
	return path === "selector.display" ? "displayId" : path;
}

const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
	Object.hasOwn(record, key) ? record[key] : undefined;

type Messages = Readonly<Record<string, string>>;
const WHOLE_SECONDS = "Enter a whole number of seconds, e.g. 30.";
export const NO_BUFFER = "This runner has no buffer. Clear this field, or choose a runner that has one.";
const NO_VIRTUAL_DISPLAYS = "This runner makes no virtual displays. Pick a display, or choose another runner.";
const TOO_LONG = "Use 500 characters or fewer.";
const GRID_URL_EXAMPLE = "Enter a full URL, e.g. http://selenium:4444";

/** Messages by the code of the fault; without one, the API's message is shown. */
const SHARED_MESSAGES: Record<Exclude<keyof JobFormValues, "config" | "video">, Messages> = {
	type: { invalid_value: "Choose a type." },
	path: { required: "Enter the file's path on the runner.", too_big: "Use 1,000 characters or fewer." },
	name: {
		too_big: "Use 200 characters or fewer.",
		invalid_format: "Remove line breaks and other control characters.",
		invalid: "Use at least one visible character.",
	},
	runnerId: {
		required: "Choose a runner.",
		invalid_type: "Choose a runner.",
		not_found: "This runner was removed. Choose another one.",
	},
	displayId: {
		required: "Pick a display, or enter its ID, e.g. :99",
		invalid_format: "Enter a colon and a number, e.g. :99",
		not_found: "No runner with these labels has this display.",
		no_virtual_displays: NO_VIRTUAL_DISPLAYS,
	},
	runnerLabels: { ...LABEL_MESSAGES, not_found: "No runner has these labels. The page Runners shows what they have." },
	labels: LABEL_MESSAGES,
	keep: { invalid_value: "Choose how long the video is kept." },
	maxDurationSeconds: {
		invalid_type: WHOLE_SECONDS,
		too_small: "Enter 1 or more.",
		too_big: `Enter ${MAX_DURATION_SECONDS} or less (7 days).`,
	},
	preSeconds: {
		invalid_type: WHOLE_SECONDS,
		too_small: "Enter 0 or more.",
		too_big: `Enter ${MAX_BUFFER_SECONDS} or less (1 hour).`,
		no_buffer: NO_BUFFER,
	},
	everySeconds: {
		invalid_type: WHOLE_SECONDS,
		too_small: `Enter ${MIN_EVERY_SECONDS} or more.`,
		too_big: `Enter ${MAX_EVERY_SECONDS} or less (1 year).`,
	},
	stopCondition: { invalid_value: "Choose a stop condition." },
};

const GRID_MESSAGES = {
	gridUrl: {
		required: GRID_URL_EXAMPLE,
		too_big: "Use 2,000 characters or fewer.",
		unsafe_characters: "Remove spaces and control characters.",
		not_absolute: GRID_URL_EXAMPLE,
		not_http: "Enter a URL that starts with http:// or https://",
		credentials: "Remove the credentials from the URL and enter them below.",
		query: "Remove everything from ? or # on.",
	} satisfies Record<GridUrlFault | "required" | "too_big", string>,
	gridUsername: {
		required: "Enter the username for this password.",
		too_big: TOO_LONG,
		invalid_format: "Remove colons and control characters.",
	},
	gridPassword: { too_big: TOO_LONG, invalid_format: "Remove control characters." },
	gridNode: { too_big: TOO_LONG, invalid_format: "Remove control characters." },
	firstSessionTimeoutSeconds: {
		invalid_type: "Enter a whole number of seconds, e.g. 60.",
		too_small: "Enter 0 or more.",
		too_big: `Enter ${MAX_FIRST_SESSION_TIMEOUT_SECONDS} or less (1 day).`,
	},
};

const CONFIG_MESSAGES: { [C in StopCondition]: { [Field in keyof JobFormValues["config"][C]]: Messages } } = {
	duration: {
		durationSeconds: {
			required: WHOLE_SECONDS,
			invalid_type: WHOLE_SECONDS,
			too_small: "Enter 1 or more.",
			too_big: `Enter ${MAX_DURATION_SECONDS} or less (7 days).`,
		},
	},
	interrupt: {},
	selenium_idle: GRID_MESSAGES,
	selenium_session: {
		...GRID_MESSAGES,
		sessionId: { too_big: "Use 200 characters or fewer.", invalid_format: "Remove control characters." },
	},
};

/** Shows the first fault of each field beside it. (The stock zod resolver validates the values themselves: text.) */
export const jobFormResolver: Resolver<JobFormValues> = (values) => {
	const errors: FieldErrors<JobFormValues> = {};
	for (const { field, code: type, message } of parseJobForm(values).faults ?? []) {
		if (field !== null && get(errors, field) === undefined) set(errors, field, { type, message });
	}
	return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
};

/** The form filled in to create `job` once more, without its password. */
export function valuesOfJob(job: Job): JobFormValues {
	const { name, displayId, keep } = job;
	const stopCondition = job.stopCondition ?? EMPTY_JOB_FORM.stopCondition;
	const values = structuredClone({
		...EMPTY_JOB_FORM,
		type: job.type,
		path: job.type === "file_upload" ? job.path : "",
		name,
		stopCondition,
		keep,
		...(job.selector === null
			? { runnerId: String(job.runnerId), displayId: job.display === undefined ? displayId : NEW_DISPLAY }
			: {
					runnerId: ANY_RUNNER,
					runnerLabels: labelLines(job.selector.labels),
					displayId: job.selector.display === "any" ? "" : job.selector.display,
				}),
		labels: labelLines(job.labels),
		maxDurationSeconds: job.maxDurationSeconds === null ? "" : String(job.maxDurationSeconds),
		preSeconds: job.preSeconds > 0 ? String(job.preSeconds) : "",
		video: videoValuesOf(job.video),
	});
	for (const [key, value] of Object.entries(job.stopConditionConfig ?? {}))
		set(values.config[stopCondition], key, String(value));
	return values;
}

const labelLines = (labels: Record<string, string>): string =>
	Object.entries(labels)
		.map((label) => label.join("="))
		.join("\n");

/** `values` as they may be stored: without the password. */
export const withoutPassword = (values: JobFormValues): JobFormValues => ({
	...values,
	config: {
		...values.config,
		selenium_idle: { ...values.config.selenium_idle, gridPassword: "" },
		selenium_session: { ...values.config.selenium_session, gridPassword: "" },
	},
});

/** Whether a password was typed, for any condition. */
export const hasPassword = ({ config }: JobFormValues): boolean =>
	config.selenium_idle.gridPassword !== "" || config.selenium_session.gridPassword !== "";

/** Fields that hold one of a few values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
	type: JOB_TYPES,
	stopCondition: Object.keys(EMPTY_JOB_FORM.config),
	keep: ["", ...KEEPS],
	preset: ["", ...VIDEO_PRESETS],
	cursor: ["", "true", "false"],
};

/** Stored values, possibly of another version: `base` with every stored field that fits. */
export function restoreValues<T extends object>(base: T, stored: unknown): T {
	if (typeof stored !== "object" || stored === null) return base;
	const entries = Object.entries(base).map(([key, value]) => {
		const found: unknown = Object.hasOwn(stored, key) ? get(stored, key) : undefined;
		if (typeof value === "object") return [key, restoreValues(value as object, found)];
		const fits = typeof found === "string" && (CHOICES[key]?.includes(found) ?? true);
		return [key, fits ? found : value];
	});
	return Object.fromEntries(entries) as T;
}
