/**
 * The protocol between runners and the dashboard, on `/v1/runner/*`, with the runner token as Bearer.
 *
 * A runner signs in and gets a session. It then keeps one long poll (`sync`) open, which lists the jobs that it has and
 * returns what it has to do: jobs to start, cancels to carry out. It sends everything else by `reports`, in order and
 * numbered per job, so that a repeated report changes nothing. Videos are uploaded by tus to `/v1/uploads` with the
 * session in the header SESSION_HEADER; images of displays are sent by PUT.
 *
 * The two may be of different versions. A later version may add fields, lists, report types and enum values, but never
 * changes existing ones. Both sides therefore ignore unknown fields, and skip list items (a job, a display, a report)
 * that they cannot parse: see the `received…` schemas and `lib/runners/read-report.ts`.
 */
import * as z from "zod";
import { createJobUnionSchema, DISPLAY_ID_PATTERN, jobNameSchema } from "./job.ts";
import { FAILED_REASONS, JOB_STATUSES, STOP_REASONS } from "./job-status.ts";
import { bufferSecondsSchema, keepSchema, labelsSchema, maxDurationSchema, preSecondsSchema } from "./labels.ts";
import { newDisplaySchema, virtualDisplaysSchema } from "./new-display.ts";
import { NOT_PLAIN, sanitizeMessage } from "./plain-text.ts";
import { idSchema, nameSchema, plainText, timestampSchema } from "./primitives.ts";
import { MAX_PRIVATE_STRETCHES, privateStretchSchema, wantedPrivacySchema } from "./privacy.ts";
import { MARKER_KINDS, OUTCOMES, VERDICTS } from "./recording-kinds.ts";
import { displaySchema, MAX_PICTURE_WIDTH, MIN_PICTURE_WIDTH, runnerNameSchema } from "./runner.ts";
import { reportedSessionSchema, seenSessionSchema } from "./session.ts";
import { stopConditionUnion } from "./stop-condition.ts";
import { MAX_STEPS, newTestResultSchema } from "./test-result.ts";
import { receivedVideoOptionsSchema, videoFormatSchema } from "./video-options.ts";

/** A runner that is silent for this long loses the lease on its jobs. */
export const LEASE_SECONDS = 30;
/** Time that the dashboard holds a `sync` without news open. */
export const SYNC_WAIT_SECONDS = 8;
export const SESSION_HEADER = "tapedeck-session";
/** The key of the job that an upload or a poster frame belongs to, in case another job now has that id. */
export const JOB_KEY_HEADER = "tapedeck-job-key";

const opaqueKey = plainText("the key").min(8).max(100);
const sessionId = opaqueKey;
/** A runner's text may quote anything, but no database stores NUL or lone surrogates. */
const freeText = (max: number) =>
	z
		.string()
		.max(max)
		// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is kept out
		.transform((text) => text.replace(/[\u0000\ud800-\udfff]/gu, "\ufffd"));
/** Distinguishes a job from any other that has, or had, the same id. */
const jobKey = opaqueKey;
/** The runner's clock when it sent the call. */
const sentAt = timestampSchema;
/** A century: a clock may say 1970, and timestamps shifted by more are out of range. */
const MAX_CLOCK_SHIFT_MS = 100 * 366 * 86_400_000;
/**
 * Milliseconds to add to the runner's clock to get the dashboard's, as measured by the runner. Every `at` is shifted by
 * it. Omitted until measured; then the call counts as having arrived instantly.
 */
const clockShiftMs = z.int().min(-MAX_CLOCK_SHIFT_MS).max(MAX_CLOCK_SHIFT_MS).optional();

/** A list that drops items which do not parse: they are from a later version. */
const readableItems = <S extends z.ZodType>(item: S, max: number) =>
	z
		.array(z.unknown())
		.max(max)
		.transform((items): z.output<S>[] =>
			items.flatMap((each) => {
				const read = item.safeParse(each);
				return read.success ? [read.data] : [];
			}),
		);

/**
 * Video options of the organization, for recordings that begin on the runner: jobs of the dashboard have them already.
 * Omitted if there are none.
 */
const organizationVideo = receivedVideoOptionsSchema.optional().catch(undefined);

export const signInBodySchema = z.object({
	name: runnerNameSchema,
	version: z
		.string()
		.max(100)
		.transform((text) => text.replace(NOT_PLAIN, "\ufffd")),
	/** Created once per data directory: a process with the same id replaces its predecessor at once. */
	instanceId: opaqueKey,
	displays: readableItems(displaySchema, 200),
	/** Defaults of the runner's environment for its jobs: labels, keep policy and cap. Unreadable values are ignored. */
	labels: labelsSchema.optional().catch(undefined),
	keep: keepSchema.optional().catch(undefined),
	maxDurationSeconds: maxDurationSchema.optional().catch(undefined),
	/** Seconds of the past that it buffers of each display (TAPEDECK_BUFFER). Omitted if none. */
	bufferSeconds: bufferSecondsSchema.optional().catch(undefined),
	/** Number of virtual displays that it can make at a time (TAPEDECK_VIRTUAL_DISPLAYS). Omitted if none. */
	virtualDisplays: virtualDisplaysSchema.optional().catch(undefined),
	/** It leaves the list of runners once it has stopped and delivered everything. Omitted by runners that come back. */
	ephemeral: z.boolean().optional().catch(undefined),
});
export const signInAnswerSchema = z.object({
	/** Always "tapedeck": tells the runner that it reached the right program. */
	product: z.literal("tapedeck"),
	/** The dashboard's version. */
	version: z.string().max(100),
	runnerId: idSchema,
	organizationId: idSchema,
	sessionId,
	serverTime: timestampSchema,
	/** Created once and stored in the database: it survives restarts and is part of backups. */
	dashboardId: z.string().min(8).max(100),
	video: organizationVideo,
});
export type SignInBody = z.infer<typeof signInBodySchema>;
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** Checks a runner token and the clocks without signing in. */
export const runnerCheckSchema = z.object({ organizationId: idSchema, serverTime: timestampSchema });

const runnerJobShape = {
	id: idSchema,
	key: jobKey,
	/**
	 * Omitted for `recording`. A `private_recording` begins black: runners that cannot do so do not know the type, and
	 * refuse the job instead of showing their display. Of a `screenshot`, the picture is sent by PUT to
	 * `/v1/runner/jobs/{id}/screenshot`, which ends the job; its stop condition means nothing. Of a `file_upload`, the file at
	 * `path` is uploaded by tus like a video, and the reports follow when it is complete.
	 */
	type: z.enum(["recording", "private_recording", "screenshot", "file_upload"]).optional(),
	/** The file of a `file_upload`. */
	path: z.string().optional(),
	/** NEW_DISPLAY if the runner is to make one. */
	displayId: z.string(),
	/** The size of the display that the runner is to make. If omitted, its settings apply. */
	display: newDisplaySchema.optional().catch(undefined),
	name: z.string(),
	cancelRequested: z.boolean(),
	/** Ends the recording as `duration_cap`, counted from the first frame. */
	maxDurationSeconds: maxDurationSchema.optional(),
	/** Requested video options. If a later version sends options that this one does not know, the runner's settings apply. */
	video: receivedVideoOptionsSchema.optional().catch(undefined),
	/** Length of the display's past that belongs to the recording. Runners without a buffer begin now. */
	preSeconds: preSecondsSchema.optional().catch(undefined),
	/** Omitted as long as nobody has asked for privacy. */
	privacy: wantedPrivacySchema.optional(),
};
/** Query of the PUT by which a runner sends a screenshot. */
export const screenshotQuerySchema = z.object({
	/** When it was captured, by the runner's clock. */
	at: timestampSchema,
	clockShiftMs: z.coerce.number().pipe(z.int().min(-MAX_CLOCK_SHIFT_MS).max(MAX_CLOCK_SHIFT_MS)).optional(),
	verdict: z.enum(["ok", "black"]),
	/** A remark about the picture, as a sentence. */
	note: freeText(500).optional(),
});
export type ScreenshotQuery = z.output<typeof screenshotQuerySchema>;
/** 16K in true colour, compressed as badly as it gets, is refused. */
export const MAX_SCREENSHOT_BYTES = 128 * 2 ** 20;

/** A job as its runner gets it, with the grid's password, which nobody else gets. */
export const runnerJobSchema = stopConditionUnion("config", runnerJobShape);
export type RunnerJob = z.infer<typeof runnerJobSchema>;

export const syncBodySchema = z.object({
	sessionId,
	/** Every job that the runner has not finished, in memory or in its spool. */
	jobs: z
		.array(
			z.object({
				id: idSchema,
				key: jobKey,
				cancelSeen: z.boolean(),
				/** The runner restarted and needs the grid's password again, which it never writes to disk. */
				passwordWanted: z.boolean().optional(),
				/** The last change of its privacy that reached the runner. Omitted by runners that cannot record black. */
				privacyVersion: z.int().nonnegative().optional(),
			}),
		)
		.max(1_000),
	waitSeconds: z.int().min(0).max(SYNC_WAIT_SECONDS),
	/** False when the runner only finishes its uploads: queued jobs wait for its next start. */
	takesJobs: z.boolean().optional(),
	/** Bytes of video that the runner has recorded and the dashboard has not confirmed. */
	waitingBytes: z.int().nonnegative().optional(),
	/** Virtual displays that programs of the runner's machine have: jobs that ask for a new one cannot get these. */
	lentDisplays: virtualDisplaysSchema.optional().catch(undefined),
});
const widePictureSchema = z.object({
	displayId: z.string().regex(DISPLAY_ID_PATTERN),
	width: z.int().min(MIN_PICTURE_WIDTH).max(MAX_PICTURE_WIDTH),
});
export type WidePicture = z.infer<typeof widePictureSchema>;
export const syncAnswerSchema = z.object({
	/** Jobs to start, which are now `starting` and assigned to this runner. */
	start: z.array(runnerJobSchema),
	/** Ids of listed jobs that should be cancelled. */
	cancel: z.array(idSchema),
	/** Listed jobs that are not this runner's, such as after a restore. They come back as new jobs. */
	forgotten: z.array(z.object({ id: idSchema, key: jobKey })).optional(),
	/** Keys of listed jobs whose recordings were deleted: discard their data. */
	deleted: z.array(jobKey).optional(),
	/**
	 * Sent when this dashboard process sees the runner for the first time: its database may be older than the runner's
	 * last report. The runner sends all reports of the listed jobs again.
	 */
	resendReports: z.literal(true).optional(),
	/** The requested passwords. A requested password that is missing does not exist (any more). */
	passwords: z.array(z.object({ id: idSchema, gridPassword: z.string() })).optional(),
	/** Changes of the privacy of listed jobs that have not reached the runner. */
	privacy: z.array(wantedPrivacySchema.extend({ id: idSchema })).optional(),
	/** The runner was removed: stop everything, upload it, and exit. */
	removed: z.literal(true).optional(),
	/** Displays that someone is watching: PUT an image of each to `/v1/runner/displays/{displayId}/picture`. */
	pictures: z.array(z.string().regex(DISPLAY_ID_PATTERN)).optional(),
	/** The same with a width other than the usual one: PUT these with `?width=`. */
	widePictures: z.array(widePictureSchema).optional(),
	video: organizationVideo,
});
/** The answer as the runner parses it: jobs are parsed one by one by runner/dashboard/read-job.ts. */
export const receivedSyncAnswerSchema = syncAnswerSchema.extend({
	start: z.array(z.unknown()),
	passwords: readableItems(z.object({ id: idSchema, gridPassword: z.string() }), 1_000).optional(),
	privacy: readableItems(wantedPrivacySchema.extend({ id: idSchema }), 1_000).optional(),
	pictures: readableItems(z.string().regex(DISPLAY_ID_PATTERN), 1_000).optional(),
	widePictures: readableItems(widePictureSchema, 1_000).optional(),
});
export type SyncBody = z.infer<typeof syncBodySchema>;
export type SyncAnswer = z.infer<typeof syncAnswerSchema>;
export type ReceivedSyncAnswer = z.infer<typeof receivedSyncAnswerSchema>;

const reportShape = {
	jobId: idSchema,
	jobKey,
	/** Counts up from 1 per job, across restarts. */
	seq: z.int().positive(),
	at: timestampSchema,
};
/** Fields of a report that becomes an entry of the job's history. */
const entryShape = { ...reportShape, message: freeText(2_000) };

/** A marker of the recorded command. Never refused for its message: the command's outcome does not depend on it. */
const commandMarkerSchema = z.object({
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS),
	message: z
		.string()
		.nullish()
		.catch(null)
		.transform((text) => (text == null ? null : sanitizeMessage(text))),
});
export type CommandMarker = z.infer<typeof commandMarkerSchema>;
export const MAX_TEST_MARKERS = 500;
const MAX_OFFSET_SECONDS = 1_000_000_000;
const videoSeconds = z.number().nonnegative();
export const testMarkerSchema = commandMarkerSchema.extend({ offsetSeconds: videoSeconds.max(MAX_OFFSET_SECONDS) });
export type TestMarker = z.infer<typeof testMarkerSchema>;

/** Maximum number of tests in a report. */
export const MAX_COMMAND_TESTS = 500;
/** Characters of the last lines of a command's output. */
export const MAX_COMMAND_OUTPUT = 2_000;
const { startedAt: _startedAt, endedAt: _endedAt, steps: _steps, ...testShape } = newTestResultSchema.shape;
/** The result of a test of the recorded command. */
export const commandTestSchema = z.object({
	...testShape,
	/** Its start, in seconds from the first frame; null if unknown. */
	offsetSeconds: z.number().min(-MAX_OFFSET_SECONDS).max(MAX_OFFSET_SECONDS).nullable(),
	durationSeconds: videoSeconds.max(MAX_OFFSET_SECONDS),
	/** Steps as `readSteps` reads them, with offsets like the test's. Left out by formats that have none. */
	steps: z.array(z.unknown()).max(MAX_STEPS).nullish().catch(null),
});
export type CommandTest = z.output<typeof commandTestSchema>;

/** Reports about a job. */
export const jobReportSchema = z.discriminatedUnion("type", [
	/** The first frame was captured, at `at`. Of a `file_upload`: the file was opened; it has no size in pixels. */
	z.object({
		...reportShape,
		type: z.literal("recording"),
		width: z.int().nonnegative(),
		height: z.int().nonnegative(),
		/** Encoding of the video. Omitted by runners that do not report it. */
		video: videoFormatSchema.optional().catch(undefined),
		/** The display that the runner made for a job that asked for a new one. */
		displayId: z.string().regex(DISPLAY_ID_PATTERN).optional().catch(undefined),
	}),
	/** Capture ended after at least one frame; `at` is the time of the last frame. */
	z.object({
		...reportShape,
		type: z.literal("stopped"),
		stopReason: z.enum(STOP_REASONS),
		/** One sentence with the remedy; required for reasons that fail the job. */
		message: freeText(2_000).optional(),
		/** The observations that led to the decision. */
		data: z.record(z.string(), z.unknown()).optional(),
		/** The verdict of the runner's sampled frames on the whole recording. */
		verdict: z.enum(VERDICTS).optional(),
	}),
	/** The job was cancelled before anything was captured. */
	z.object({ ...reportShape, type: z.literal("cancelled") }),
	/** The job failed before anything was captured. */
	z.object({
		...reportShape,
		type: z.literal("failed"),
		code: z.enum(FAILED_REASONS),
		message: freeText(2_000),
	}),
	/** A session of the grid began while the job recorded. Repeated by a runner that restarts. */
	z.object({ ...entryShape, type: z.literal("session_started"), session: reportedSessionSchema }),
	/** The session ended. */
	z.object({
		...entryShape,
		type: z.literal("session_ended"),
		session: reportedSessionSchema.pick({ sessionId: true, name: true }),
	}),
	/** The recorded command added a marker through its runner (`tapedeck mark`), at `at`. */
	z.object({ ...entryShape, type: z.literal("command_marker"), marker: commandMarkerSchema }),
	/** Results of tests of the recorded command. Several reports are sent if there are many. */
	z.object({
		...entryShape,
		type: z.literal("command_tests"),
		tests: readableItems(commandTestSchema, MAX_COMMAND_TESTS),
	}),
	/** The recorded command ended. Its outcome becomes the job's, unless a user has set one since. */
	z.object({
		...entryShape,
		type: z.literal("command_ended"),
		/** Omitted if only a later version knows it. */
		outcome: z.enum(OUTCOMES).optional().catch(undefined),
		/** The last lines of its output, if it failed. */
		output: freeText(MAX_COMMAND_OUTPUT).optional().catch(undefined),
		/** Markers of the command's tests. */
		markers: readableItems(testMarkerSchema, MAX_TEST_MARKERS).optional(),
	}),
	/** Nothing was captured between `from` and `to`, in seconds of the video. */
	z.object({
		...entryShape,
		type: z.literal("capture_stalled"),
		from: videoSeconds,
		to: videoSeconds,
		seconds: videoSeconds,
	}),
	/** A change of the job's privacy is effective since `at`: from then on the video is black, or shows the display again. */
	z.object({
		...entryShape,
		...wantedPrivacySchema.shape,
		type: z.literal("privacy"),
		/** All of the recording so far. */
		stretches: z.array(privateStretchSchema).max(MAX_PRIVATE_STRETCHES),
	}),
	/** Anything else for the job's history, which only people read. */
	z.object({
		...entryShape,
		type: z.literal("note"),
		event: z.string().regex(/^[a-z_]{1,60}$/),
		data: z.record(z.string(), z.unknown()).optional(),
	}),
]);
export type JobReport = z.infer<typeof jobReportSchema>;
export type JobReportOf<Type extends JobReport["type"]> = Extract<JobReport, { type: Type }>;

const TRANSITION_TYPES = ["recording", "stopped", "cancelled", "failed"] as const;
/** A report that changes the job's status. All others add to its history, and the job continues without them. */
export type TransitionReport = JobReportOf<(typeof TRANSITION_TYPES)[number]>;
export const isTransition = (report: JobReport): report is TransitionReport =>
	(TRANSITION_TYPES as readonly string[]).includes(report.type);

export const reportsBodySchema = z.object({
	sessionId,
	sentAt,
	clockShiftMs,
	/** Omitted when unchanged. */
	displays: readableItems(displaySchema, 200).optional(),
	jobs: z.array(jobReportSchema).max(500),
	/** Sessions of the grid that the runner saw, for the coverage. A lost report is sent again, a repeated one changes nothing. */
	sessions: readableItems(seenSessionSchema, 200).optional(),
});
/** The body as the dashboard parses it: reports are parsed one by one by lib/runners/read-report.ts. */
export const receivedReportsBodySchema = reportsBodySchema.extend({ jobs: z.array(z.unknown()).max(500) });
const testIdSchema = z.object({ key: z.string(), id: idSchema });
export type TestId = z.infer<typeof testIdSchema>;
export const reportsAnswerSchema = z.object({
	/** Lets the runner measure the difference between the clocks. */
	serverTime: timestampSchema,
	/** For each report, in order, the current status of its job; null for a job that is not this runner's. */
	jobs: z.array(
		z.object({
			jobId: idSchema,
			status: z.enum(JOB_STATUSES).nullable(),
			/** The ids of the test results of a report of tests, for links to them. */
			results: z.array(testIdSchema).optional(),
		}),
	),
});
/** The answer as the runner parses it: it only matters whether there is a status, and links work without the ids. */
export const receivedReportsAnswerSchema = reportsAnswerSchema.extend({
	jobs: z.array(
		z.object({
			jobId: idSchema,
			status: z.string().nullable(),
			results: z.array(testIdSchema).optional().catch(undefined),
		}),
	),
});
export type ReportsBody = z.infer<typeof reportsBodySchema>;
export type ReceivedReportsBody = z.infer<typeof receivedReportsBodySchema>;
export type ReportsAnswer = z.infer<typeof reportsAnswerSchema>;
export type ReceivedReportsAnswer = z.infer<typeof receivedReportsAnswerSchema>;

/** A job that began on the runner (auto-record, `tapedeck record`), reported while it is already recording. */
export const autoJobBodySchema = z.object({
	sessionId,
	sentAt,
	clockShiftMs,
	/** Created by the runner before it started to record: the same key always means the same job. */
	key: opaqueKey,
	displayId: z.string().regex(DISPLAY_ID_PATTERN),
	/** The file of the watched folder that cannot become a recording: the job is a `file_upload`, and fails with a sentence. */
	path: freeText(1_000).optional(),
	name: jobNameSchema.optional(),
	/** When the runner decided to record. */
	at: timestampSchema,
	/** One of STOP_CONDITIONS, or one that only a later runner knows. */
	stopCondition: freeText(100),
	/** The settings without a password, which stays in the runner's environment. */
	stopConditionConfig: z.record(z.string(), z.unknown()).default({}),
	/** The job's id before the dashboard lost it, such as by a restore from a backup. */
	formerId: idSchema.optional(),
	/** Labels of this job, in addition to the runner's own; unreadable ones are ignored as well. */
	labels: labelsSchema.optional().catch(undefined),
	keep: keepSchema.optional().catch(undefined),
	/** The cap that the runner applies. */
	maxDurationSeconds: maxDurationSchema.optional().catch(undefined),
	/** Requested length of the display's past. */
	preSeconds: preSecondsSchema.optional().catch(undefined),
	/** The runner will report the result of the recorded command. */
	outcomeExpected: z.boolean().optional().catch(undefined),
});
export type AutoJobBody = z.input<typeof autoJobBodySchema>;
/** The created job as the runner parses it: it is already recording, and knows when to stop. */
export const receivedAutoJobAnswerSchema = z.object({
	id: idSchema,
	key: jobKey,
	name: z.string(),
	cancelRequested: z.boolean(),
	maxDurationSeconds: maxDurationSchema.optional().catch(undefined),
});
export type ReceivedAutoJobAnswer = z.infer<typeof receivedAutoJobAnswerSchema>;

export const signOutBodySchema = z.object({ sessionId });

/**
 * The stop condition of an auto-record job, validated like the API does. Configuration fields that only a later runner
 * knows are dropped: only the runner needs them.
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
