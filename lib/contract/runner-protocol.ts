/**
 * What a runner and the dashboard say to each other, on `/v1/runner/*`, with the runner token as Bearer.
 *
 * A runner signs in and gets a session. It then holds one long poll (`sync`), which states the jobs that it
 * has and brings what it lacks: jobs to start, cancels to obey. Everything it has to tell goes up by
 * `reports`, in order, numbered by job, so that a repeated report changes nothing. Video goes up by tus
 * on `/v1/uploads` with the session in the header SESSION_HEADER, and so do single pictures of displays, by PUT.
 *
 * The two may be of different versions. A later version may add fields, lists, report types and enum values, and
 * never changes what is there. So both sides ignore fields they do not know, and what they cannot read of a list
 * (a job, a display, a report) costs that one entry: see the `received…` schemas and `lib/runners/read-report.ts`.
 */
import * as z from "zod";
import {
	createJobUnionSchema,
	DISPLAY_ID_PATTERN,
	FAILED_REASONS,
	JOB_STATUSES,
	jobNameSchema,
	STOP_REASONS,
} from "./job.ts";
import { idSchema, timestampSchema } from "./page.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { VERDICTS } from "./recording-kinds.ts";
import { displaySchema, runnerNameSchema } from "./runner.ts";
import { durationConfigSchema, interruptConfigSchema, seleniumIdleConfigSchema } from "./stop-condition.ts";

/** A runner that is silent for this long has lost its lease on its jobs. */
export const LEASE_SECONDS = 30;
/** How long the dashboard holds a `sync` open when there is nothing to say. */
export const SYNC_WAIT_SECONDS = 8;
export const SESSION_HEADER = "tapedeck-session";
/** The key of the job that an upload or a poster belongs to, so that it cannot end up with another job of that id. */
export const JOB_KEY_HEADER = "tapedeck-job-key";

const madeUp = z.string().min(8).max(100).regex(PLAIN_TEXT);
const sessionId = madeUp;
/** What a runner says in words may quote anything. No database takes a NUL or half a character. */
const words = (max: number) =>
	z
		.string()
		.max(max)
		// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is kept out
		.transform((text) => text.replace(/[\u0000\ud800-\udfff]/gu, "\ufffd"));
/** Tells a job from another one that has, or had, the same id. Runners and dashboards from before it leave it out. */
const jobKey = madeUp;
/** The runner's clock when it sent the call. */
const sentAt = timestampSchema;
/** A century: a clock may say 1970, and an instant shifted by more is not one that can be told. */
const MAX_CLOCK_SHIFT_MS = 100 * 366 * 86_400_000;
/**
 * What has to be added to the runner's clock to have the dashboard's, in ms, as the runner measured it: every `at` is
 * shifted by it. Left out while it has not: then the call counts as having arrived at once.
 */
const clockShiftMs = z.int().min(-MAX_CLOCK_SHIFT_MS).max(MAX_CLOCK_SHIFT_MS).optional();

/** A list of which entries that do not fit are left out: they are of a later version. */
const readableItems = <S extends z.ZodType>(item: S, most: number) =>
	z
		.array(z.unknown())
		.max(most)
		.transform((items): z.output<S>[] =>
			items.flatMap((each) => {
				const read = item.safeParse(each);
				return read.success ? [read.data] : [];
			}),
		);

export const signInBodySchema = z.object({
	name: runnerNameSchema,
	version: words(100),
	/** Made once per data directory: a process with the same one replaces its predecessor at once. */
	instanceId: madeUp,
	displays: readableItems(displaySchema, 200),
});
export const signInAnswerSchema = z.object({
	/** Always "tapedeck": how a runner knows that it speaks with the right program. */
	product: z.literal("tapedeck"),
	/** The dashboard's version; left out by the first ones. */
	version: z.string().max(100).optional(),
	runnerId: idSchema,
	organizationId: idSchema,
	sessionId,
	serverTime: timestampSchema,
	/**
	 * Made once and kept in the database: it survives restarts and travels with a backup. A runner sends job keys only
	 * to a dashboard that has one.
	 */
	dashboardId: z.string().min(8).max(100).optional(),
});
export type SignInBody = z.infer<typeof signInBodySchema>;
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** Whether a runner token is good and how the clocks stand, without signing in. */
export const runnerCheckSchema = z.object({ organizationId: idSchema, serverTime: timestampSchema });

const runnerJobShape = {
	id: idSchema,
	key: jobKey.optional(),
	/** Left out for the only type that there is. */
	type: z.literal("recording").optional(),
	displayId: z.string(),
	name: z.string(),
	cancelRequested: z.boolean(),
};
/** A job as its runner gets it: with the grid's password, which goes to nobody else. */
export const runnerJobSchema = z.discriminatedUnion("stopCondition", [
	z.object({ ...runnerJobShape, stopCondition: z.literal("duration"), stopConditionConfig: durationConfigSchema }),
	z.object({ ...runnerJobShape, stopCondition: z.literal("interrupt"), stopConditionConfig: interruptConfigSchema }),
	z.object({
		...runnerJobShape,
		stopCondition: z.literal("selenium_idle"),
		stopConditionConfig: seleniumIdleConfigSchema,
	}),
]);
export type RunnerJob = z.infer<typeof runnerJobSchema>;

export const syncBodySchema = z.object({
	sessionId,
	/** Every job that the runner has not finished with, in memory or in its spool. */
	jobs: z
		.array(
			z.object({
				id: idSchema,
				/** Left out when the runner does not know it: it took the job before there were keys. */
				key: jobKey.optional(),
				/** In place of the key, to find out whether the dashboard means the same job by that id. */
				identify: z.object({ displayId: z.string().max(100), name: z.string().max(1_000) }).optional(),
				cancelSeen: z.boolean(),
				/** The runner was started again and lacks the grid's password, which it never writes down. */
				passwordWanted: z.boolean().optional(),
			}),
		)
		.max(1_000),
	waitSeconds: z.int().min(0).max(SYNC_WAIT_SECONDS),
	/** False when the runner only delivers what it has: queued jobs wait for the next start. */
	takesJobs: z.boolean().optional(),
});
export const syncAnswerSchema = z.object({
	/** Jobs to start: they are `starting` now and this runner's. */
	start: z.array(runnerJobSchema),
	/** Ids of listed jobs whose cancel was asked and not yet seen. */
	cancel: z.array(idSchema),
	/** Ids of listed jobs without a key that are not this runner's here. Their recordings are kept. */
	unknown: z.array(idSchema),
	/** Listed jobs with a key that are not this runner's here, such as after a restore: they come back as new jobs. */
	forgotten: z.array(z.object({ id: idSchema, key: jobKey })).optional(),
	/** Keys of listed jobs whose recording was deleted here: keep nothing of it. */
	deleted: z.array(jobKey).optional(),
	/** The keys of listed jobs that had none. */
	identified: z.array(z.object({ id: idSchema, key: jobKey })).optional(),
	/**
	 * This process of the dashboard has just met the runner, and its database may be older than what the runner last heard:
	 * report again what was reported of the listed jobs.
	 */
	retell: z.literal(true).optional(),
	/** The passwords that were wanted; a job whose password is wanted and not there has none (any more). */
	passwords: z.array(z.object({ id: idSchema, gridPassword: z.string() })).optional(),
	/** The runner was removed: end everything, deliver it, and go. */
	removed: z.literal(true).optional(),
	/** Displays that somebody looks at: PUT what each shows now to `/v1/runner/displays/{displayId}/picture`. */
	pictures: z.array(z.string().regex(DISPLAY_ID_PATTERN)).optional(),
});
/** The same as a runner reads it: its jobs are read one by one, by runner/read-job.ts. */
export const receivedSyncAnswerSchema = syncAnswerSchema.extend({
	start: z.array(z.unknown()),
	passwords: readableItems(z.object({ id: idSchema, gridPassword: z.string() }), 1_000).optional(),
	pictures: readableItems(z.string().regex(DISPLAY_ID_PATTERN), 1_000).optional(),
});
export type SyncBody = z.infer<typeof syncBodySchema>;
export type SyncAnswer = z.infer<typeof syncAnswerSchema>;
export type ReceivedSyncAnswer = z.infer<typeof receivedSyncAnswerSchema>;

const reportShape = {
	jobId: idSchema,
	jobKey: jobKey.optional(),
	/** Counts up from 1 within a job, over restarts too. */
	seq: z.int().positive(),
	at: timestampSchema,
};
/** What can be reported of a job. */
export const jobReportSchema = z.discriminatedUnion("type", [
	/** The first frame is captured; `at` is its instant. */
	z.object({
		...reportShape,
		type: z.literal("recording"),
		width: z.int().positive(),
		height: z.int().positive(),
	}),
	/** Capture has ended with something captured; `at` is the instant of the last frame. */
	z.object({
		...reportShape,
		type: z.literal("stopped"),
		stopReason: z.enum(STOP_REASONS),
		/** One sentence with the remedy; wanted when the reason is one that fails the job. */
		message: words(2_000).optional(),
		/** The deciding observations. */
		data: z.record(z.string(), z.unknown()).optional(),
		/** What the runner's samples of the picture say of the whole recording. */
		verdict: z.enum(VERDICTS).optional(),
	}),
	/** It was cancelled before anything was captured. */
	z.object({ ...reportShape, type: z.literal("cancelled") }),
	/** It failed before anything was captured. */
	z.object({
		...reportShape,
		type: z.literal("failed"),
		code: z.enum(FAILED_REASONS),
		message: words(2_000),
	}),
	/** Something worth a line in the job's history. */
	z.object({
		...reportShape,
		type: z.literal("note"),
		event: z.string().regex(/^[a-z_]{1,60}$/),
		message: words(2_000),
		data: z.record(z.string(), z.unknown()).optional(),
	}),
]);
export type JobReport = z.infer<typeof jobReportSchema>;

export const reportsBodySchema = z.object({
	sessionId,
	sentAt,
	clockShiftMs,
	/** Left out when they have not changed. */
	displays: readableItems(displaySchema, 200).optional(),
	jobs: z.array(jobReportSchema).max(500),
});
/** The same as the dashboard reads it: the reports are read one by one, by lib/runners/read-report.ts. */
export const receivedReportsBodySchema = reportsBodySchema.extend({ jobs: z.array(z.unknown()).max(500) });
export const reportsAnswerSchema = z.object({
	/** For the runner to measure the difference of the clocks. */
	serverTime: timestampSchema.optional(),
	/**
	 * For each report, in order, where its job stands now; null for one that is not this runner's here. Without a key
	 * such a report has no entry: a runner from before keys would delete the recording.
	 */
	jobs: z.array(z.object({ jobId: idSchema, status: z.enum(JOB_STATUSES).nullable() })),
});
/** The same as a runner reads it: of the status it only matters whether there is one. */
export const receivedReportsAnswerSchema = reportsAnswerSchema.extend({
	jobs: z.array(z.object({ jobId: idSchema, status: z.string().nullable() })),
});
export type ReportsBody = z.infer<typeof reportsBodySchema>;
export type ReceivedReportsBody = z.infer<typeof receivedReportsBodySchema>;
export type ReportsAnswer = z.infer<typeof reportsAnswerSchema>;
export type ReceivedReportsAnswer = z.infer<typeof receivedReportsAnswerSchema>;

/** A job that began on the runner (auto-record, `tapedeck record`), told by the runner that already records it. */
export const autoJobBodySchema = z.object({
	sessionId,
	sentAt,
	clockShiftMs,
	/** Made by the runner before it recorded: the same key is the same job, for ever. */
	key: madeUp,
	displayId: z.string().regex(DISPLAY_ID_PATTERN),
	name: jobNameSchema.optional(),
	/** When the runner decided to record. */
	at: timestampSchema,
	/** One of STOP_CONDITIONS, or one that only a later runner knows. */
	stopCondition: words(100),
	/** Without a password: that one stays in the runner's environment. */
	stopConditionConfig: z.record(z.string(), z.unknown()).default({}),
	/** The id that the job had before the dashboard forgot it, such as by a restore from a backup. */
	formerId: idSchema.optional(),
});
export type AutoJobBody = z.input<typeof autoJobBodySchema>;
export const autoJobAnswerSchema = runnerJobSchema;
/** The same as a runner reads it: it records already, and knows by itself when to stop. */
export const receivedAutoJobAnswerSchema = z.object({
	id: idSchema,
	key: jobKey.optional(),
	name: z.string(),
	cancelRequested: z.boolean(),
});
export type ReceivedAutoJobAnswer = z.infer<typeof receivedAutoJobAnswerSchema>;

export const signOutBodySchema = z.object({ sessionId });

/**
 * The condition of an auto-record job, validated as the API does. Fields of the configuration that only a later runner
 * knows are left out: they matter to the runner, which has them.
 */
export function autoJobRule(body: z.output<typeof autoJobBodySchema>, runnerId: number) {
	const { displayId, stopCondition, stopConditionConfig } = body;
	const parse = (config: Record<string, unknown>) =>
		createJobUnionSchema.safeParse({ runnerId, displayId, stopCondition, stopConditionConfig: config });
	const first = parse(stopConditionConfig);
	const unknown = (first.error?.issues ?? []).flatMap((issue) =>
		issue.code === "unrecognized_keys" && issue.path.join(".") === "stopConditionConfig" ? issue.keys : [],
	);
	if (unknown.length === 0) return first;
	return parse(Object.fromEntries(Object.entries(stopConditionConfig).filter(([name]) => !unknown.includes(name))));
}
