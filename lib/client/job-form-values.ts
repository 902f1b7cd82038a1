/** Between the create form, whose fields hold text, and the body that the API takes. */
import type { CreateJobBody, Job } from "../contract/job.ts";
import type { Fault } from "../contract/problem.ts";
import type { StopCondition } from "../contract/stop-condition.ts";

/** Every condition keeps what was typed for it, so that switching to and fro loses nothing. */
export interface JobFormValues {
	name: string;
	runnerId: string;
	displayId: string;
	stopCondition: StopCondition;
	config: {
		duration: { durationSeconds: string };
		interrupt: Record<string, never>;
		selenium_idle: {
			gridUrl: string;
			gridUsername: string;
			gridPassword: string;
			firstSessionTimeoutSeconds: string;
		};
	};
}

export const EMPTY_JOB_FORM: JobFormValues = {
	name: "",
	runnerId: "",
	displayId: "",
	stopCondition: "duration",
	config: {
		duration: { durationSeconds: "30" },
		interrupt: {},
		selenium_idle: { gridUrl: "", gridUsername: "", gridPassword: "", firstSessionTimeoutSeconds: "" },
	},
};

const given = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());
/** A number; or the text itself, for the schema to refuse in its own words. */
const numberGiven = (text: string): number | string | undefined => {
	const trimmed = given(text);
	if (trimmed === undefined) return undefined;
	return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
};

function configOf(values: JobFormValues): Record<string, unknown> {
	const { config, stopCondition } = values;
	switch (stopCondition) {
		case "duration":
			return { durationSeconds: numberGiven(config.duration.durationSeconds) };
		case "interrupt":
			return {};
		case "selenium_idle":
			return {
				gridUrl: given(config.selenium_idle.gridUrl),
				gridUsername: given(config.selenium_idle.gridUsername),
				// A password may begin or end with a space.
				gridPassword: config.selenium_idle.gridPassword === "" ? undefined : config.selenium_idle.gridPassword,
				firstSessionTimeoutSeconds: numberGiven(config.selenium_idle.firstSessionTimeoutSeconds),
			};
	}
}

const withoutUndefined = (record: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** The body for what was typed: of the chosen condition only, not judged yet. Empty fields are left out. */
export function bodyOf(values: JobFormValues): Record<string, unknown> {
	return withoutUndefined({
		runnerId: numberGiven(values.runnerId),
		displayId: given(values.displayId),
		name: given(values.name),
		stopCondition: values.stopCondition,
		stopConditionConfig: withoutUndefined(configOf(values)),
	});
}

const SHARED_FIELDS = new Set(["name", "runnerId", "displayId", "stopCondition"]);

/** The form's field for the path of a fault; null when no field stands for it. */
export function fieldOf(path: string, condition: StopCondition): string | null {
	if (SHARED_FIELDS.has(path)) return path;
	const key = /^stopConditionConfig\.(\w+)$/.exec(path)?.[1];
	return key !== undefined && key in EMPTY_JOB_FORM.config[condition] ? `config.${condition}.${key}` : null;
}

/** Words for a person at the form; everything else is told as the API tells it. */
const IN_THE_FORM: Record<string, string> = {
	runnerId: "Choose the runner that records.",
	displayId: 'Choose a display, or type one such as ":99".',
	"stopConditionConfig.durationSeconds": "Say how many seconds to record, such as 30.",
	"stopConditionConfig.gridUrl": "Say where the grid is, such as http://selenium:4444.",
};

/** The message beside a field for `fault`. */
export const messageOf = (fault: Fault): string =>
	fault.code === "required" ? (IN_THE_FORM[fault.path] ?? fault.message) : fault.message;

/** Whether the grid wanted credentials: their password is in no answer, so it must be given again. */
export const hasPassword = (job: Job): boolean =>
	job.stopCondition === "selenium_idle" && job.stopConditionConfig.gridUsername !== undefined;

/** The body that creates `job` once more. Where a password belongs there is an empty one. */
export const bodyOfJob = (job: Job): CreateJobBody =>
	({
		runnerId: job.runnerId,
		displayId: job.displayId,
		name: job.name,
		stopCondition: job.stopCondition,
		stopConditionConfig: hasPassword(job) ? { ...job.stopConditionConfig, gridPassword: "" } : job.stopConditionConfig,
	}) as CreateJobBody;

/** The form as it is filled in to create `job` once more, without its password. */
export function valuesOfJob(job: Job): JobFormValues {
	const given = Object.fromEntries(Object.entries(job.stopConditionConfig).map(([key, value]) => [key, String(value)]));
	return {
		name: job.name,
		runnerId: String(job.runnerId),
		displayId: job.displayId,
		stopCondition: job.stopCondition,
		config: {
			...EMPTY_JOB_FORM.config,
			[job.stopCondition]: { ...EMPTY_JOB_FORM.config[job.stopCondition], ...given },
		},
	};
}

/** `values` as they may be written down: without the password. */
export const withoutPassword = (values: JobFormValues): JobFormValues => ({
	...values,
	config: { ...values.config, selenium_idle: { ...values.config.selenium_idle, gridPassword: "" } },
});

/** What was written down, possibly by another version: `base` with every field of it that fits. */
export function fitted<T extends object>(base: T, kept: unknown): T {
	if (typeof kept !== "object" || kept === null) return base;
	const entries = Object.entries(base).map(([key, value]) => {
		const found: unknown = Object.hasOwn(kept, key) ? (kept as Record<string, unknown>)[key] : undefined;
		if (typeof value === "object") return [key, fitted(value as object, found)];
		const fits = typeof found === "string" && (key !== "stopCondition" || Object.hasOwn(EMPTY_JOB_FORM.config, found));
		return [key, fits ? found : value];
	});
	return Object.fromEntries(entries) as T;
}
