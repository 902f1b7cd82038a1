/**
 * The tables as Kysely types, the same on SQLite and PostgreSQL: timestamps are milliseconds since 1970 in 64-bit
 * integers, JSON is text, flags are 0 or 1. better-auth's tables (user, session, account, verification, organization,
 * member, invitation) have its own columns; ids are integers everywhere.
 */
import type { AuditAction, AuditActorKind, AuditTargetKind } from "@tapedeck/contract/audit.ts";
import type { JobStatus, JobType, StopReason } from "@tapedeck/contract/job-status.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import type { RecordingState } from "@tapedeck/contract/recording.ts";
import type { DeletionReason, Keep, Outcome, RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import type { MissReason } from "@tapedeck/contract/session.ts";
import type { StopCondition } from "@tapedeck/contract/stop-condition.ts";
import type { FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import type { DeliveryState } from "@tapedeck/contract/webhook.ts";
import type { WebhookEvent, WebhookKind } from "@tapedeck/contract/webhook-events.ts";
import type { Generated } from "kysely";

/** Columns that jobs and recordings share; a recording has the values of its job. */
interface SharedColumns {
	/** JSON object of strings. Triggers keep jobLabel and recordingLabel the same. */
	labels: Generated<string>;
	/** Searched in addition to the name: label values and session names, one per line (lib/lifecycle/labels.ts). */
	searchText: Generated<string | null>;
	outcome: Generated<Outcome | null>;
	/** Null until a runner takes a job with a selector: `always`. */
	keep: Generated<Keep | null>;
	pinned: Generated<number>;
}

export interface JobTable extends SharedColumns {
	id: Generated<number>;
	organizationId: number;
	runnerId: number;
	/** A screenshot has a stop condition that means nothing. */
	type: JobType;
	displayId: string;
	name: string;
	stopCondition: StopCondition;
	/** JSON, without the grid password. */
	stopConditionConfig: string;
	/** The grid password, encrypted (lib/core/secret-box). */
	gridPasswordSealed: string | null;
	status: JobStatus;
	stopReason: StopReason | null;
	/** The stop reason replaced by a provisional `runner_lost`; restored when the runner returns. */
	heldStopReason: StopReason | null;
	errorMessage: string | null;
	createdAt: number;
	startedAt: number | null;
	stoppedAt: number | null;
	endedAt: number | null;
	cancelRequestedAt: number | null;
	createdByKind: "user" | "apiKey" | "runner" | null;
	createdById: number | null;
	createdByName: string | null;
	/** The runner's own key of an auto-record job; unique with runnerId. */
	runnerKey: string | null;
	/** Distinguishes jobs whose ids repeat after a restore; unique with runnerId. Equals runnerKey if that is set. */
	key: string;
	/** When its recording was deleted: the runner must not upload it again. */
	recordingDeletedAt: number | null;
	maxDurationSeconds: Generated<number | null>;
	/** JSON of a Selector; null for a job that names its runner. Then `runnerId` is final once the job is `starting`. */
	selector: Generated<string | null>;
	/** JSON of the size that was asked for of a new display, `{}` if none was; null for a job of a display that is there. */
	newDisplay: Generated<string | null>;
	/** The file of a `file_upload`, as it was asked for; null for other jobs. */
	filePath: Generated<string | null>;
	/** JSON of VideoOptions: its own, and else the organization's; null if neither asked for anything. */
	video: Generated<string | null>;
	/** JSON of VideoFormat, from its first frame on; null if the runner did not report it. */
	usedVideo: Generated<string | null>;
	/** Requested length of the display's past, in seconds. */
	preSeconds: Generated<number>;
	/** JSON of PrivacyState (lib/lifecycle/privacy.ts); null as long as nobody has asked for privacy. */
	privacy: Generated<string | null>;
	/** Its creator will report the outcome: while the job runs, `fail` markers do not set it. */
	outcomeExpected: Generated<number>;
}

/** A single row: the id by which runners recognize this dashboard. Included in backups. */
export interface DashboardTable {
	id: string;
	/** A migration: versions of the program that know it work with the database as it is. */
	compatibleFrom: string;
}

export interface JobEventTable {
	id: Generated<number>;
	jobId: number;
	type: string;
	at: number;
	message: string;
	/** JSON object. */
	data: string;
	/** The runner's sequence number of the report; unique with jobId, so that a repeated report changes nothing. */
	runnerSeq: number | null;
}

export interface RunnerTable {
	id: Generated<number>;
	organizationId: number;
	/** Identifies the runner; unique in the organization. For a removed runner, a name that none can sign in with. */
	signInName: string;
	/** The display name; unique among the organization's runners that are not removed. */
	name: string;
	/** When it was removed; the row stays for its jobs. */
	removedAt: number | null;
	version: string;
	instanceId: string | null;
	sessionId: string | null;
	/** JSON list of {id, width, height}. */
	displays: string;
	/** JSON object of strings, copied to the jobs it takes. */
	labels: Generated<string>;
	/** Default for jobs that say nothing else. */
	keep: Generated<Keep | null>;
	maxDurationSeconds: Generated<number | null>;
	/** Length of the past that it buffers of each display; null for none. */
	bufferSeconds: Generated<number | null>;
	/** Maximum number of virtual displays at a time; null for none. */
	virtualDisplays: Generated<number | null>;
	lastSeenAt: number | null;
	/** While it is later than now, a dashboard holds the runner's long poll. Only on PostgreSQL, like the next two. */
	pollUntil: Generated<number | null>;
	/** The dashboard that holds it. */
	pollNodeId: Generated<string | null>;
	/** The session whose first list of jobs was compared with the database. */
	syncedSessionId: Generated<string | null>;
	/** Video that it has recorded and not uploaded yet, as of its last poll. */
	waitingBytes: Generated<number>;
	/** Whether the last event for webhooks said that it is online; null if none did. */
	saidOnline: Generated<number | null>;
	/** The family of the token that it signed in with last. */
	tokenId: Generated<number | null>;
	/** Whether it leaves the list once it has stopped and delivered everything. */
	ephemeral: Generated<number>;
	/** JSON of its token's limits (lib/lifecycle/token-limits.ts); null for none. */
	limits: Generated<string | null>;
	createdAt: number;
}

export interface RecordingTable extends SharedColumns {
	id: Generated<number>;
	organizationId: number;
	/** Unique; null for an uploaded video. */
	jobId: number | null;
	/** The job's runner; null for an uploaded video. */
	runnerId: Generated<number | null>;
	name: string;
	/** Only a `video` has a length, frames and an index. */
	kind: Generated<RecordingKind>;
	state: RecordingState;
	contentType: string;
	/** Id of the tus upload, and the file name in the videos folder; unique. */
	uploadId: string;
	durationSeconds: number;
	/** Size of the file. */
	bytes: number;
	/** Size of a download; null if it equals the file, or is unknown. */
	downloadBytes: Generated<number | null>;
	width: number | null;
	height: number | null;
	/** Its job's `usedVideo`. */
	video: Generated<string | null>;
	verdict: "ok" | "black" | "frozen" | null;
	/** When it is deleted because its outcome is `passed`; null if it is kept. */
	deleteAt: Generated<number | null>;
	/** Until when retention spares it, because it was restored; null if it never was. */
	keptUntil: Generated<number | null>;
	/** Null unless it was deleted. Lists and their indexes leave out rows that have it. */
	deletedAt: Generated<number | null>;
	/** When its files go; null unless it is in the trash. A deleted recording without it has no files any more. */
	purgeAt: Generated<number | null>;
	/** Name of the actor that deleted it, at that time; null for retention. */
	deletedBy: Generated<string | null>;
	deletedFor: Generated<DeletionReason | null>;
	/** The key of its video in the bucket; null while it is on a dashboard's disk. */
	objectKey: Generated<string | null>;
	/** Length of the header before the video's own bytes in that object. */
	objectHeaderBytes: Generated<number | null>;
	createdAt: number;
	/** When the last byte arrived. */
	updatedAt: number;
}

export interface MarkerTable {
	id: Generated<number>;
	organizationId: number;
	/** Set for a job's marker; null for an uploaded recording's. */
	jobId: number | null;
	recordingId: number | null;
	label: string;
	kind: "step" | "pass" | "fail" | "note" | "stall" | "session";
	/** Milliseconds: since 1970 for a job's marker, from the first frame for a recording's. */
	at: number;
	/** Several lines. */
	message: string | null;
	createdAt: number;
}

/** A track of a job's recording; unique by job and name. It goes with the recording's files. */
export interface TrackTable {
	id: Generated<number>;
	organizationId: number;
	jobId: number;
	name: string;
	lines: Generated<number>;
	/** Size of the lines as NDJSON. */
	bytes: Generated<number>;
	/** Bytes of the sender's stream that are stored. */
	received: Generated<number>;
	/** Hash of the last line as it was sent: another sender's stream has a different line there. */
	lastLineHash: Generated<string | null>;
	/** The times of the earliest and the latest line. */
	firstAt: Generated<number | null>;
	lastAt: Generated<number | null>;
	/** Compressed size of the blocks; a trigger adds it to the organization's use. */
	storedBytes: Generated<number>;
	createdAt: number;
}

/** Text by which searches find a job and its recording, in addition to `searchText`: the first error lines of its tracks. */
interface ErrorTextTable {
	jobId: number;
	lines: number;
	/** The job's name and search text, in lower case, for searches whose words are partly there. A trigger keeps them the same. */
	named: string;
	/** In lower case, one per line. Trigrams of both are in errorTextSearch on SQLite, in error_text_search on PostgreSQL. */
	text: string;
}

/** A stretch of a track in the order of arrival, of about TRACK_BLOCK_BYTES. */
export interface TrackBlockTable {
	trackId: number;
	/** From 0. */
	number: number;
	/** The number of its first line, from 1. */
	firstLine: number;
	/** Size of the lines as NDJSON. */
	bytes: number;
	/** The times of its earliest and its latest line. */
	minAt: number;
	maxAt: number;
	/** The place in TRACK_LEVELS of its most severe line; -1 if none has a level. */
	maxLevel: number;
	/** NDJSON, compressed. */
	content: Buffer;
}

/** A session of a grid during a job's recording; unique by job and sessionId. */
export interface RecordedSessionTable {
	id: Generated<number>;
	organizationId: number;
	jobId: number;
	/** The grid's own id. */
	sessionId: string;
	name: string | null;
	startedAt: number;
	endedAt: number | null;
	/** JSON object of strings. */
	capabilities: string;
	/** Outcome reported by the session's client; null without a report. */
	outcome: Generated<Outcome | null>;
	message: Generated<string | null>;
	/** When it said so. */
	outcomeAt: Generated<number | null>;
}

/** A session of a grid that a runner saw, whether it was recorded or not; unique by organization and sessionId. */
export interface GridSessionTable {
	id: Generated<number>;
	organizationId: number;
	sessionId: string;
	/** The runner that reported it first. */
	runnerId: number;
	name: string | null;
	/** URI or id of its node. */
	node: string | null;
	startedAt: number;
	endedAt: number | null;
	recorded: Generated<number>;
	/** Why it was not recorded, while it was not. */
	reason: MissReason | null;
}

export interface IdempotencyKeyTable {
	organizationId: number;
	key: string;
	/** Keyed hash of the body (`SecretBox.hash`). */
	bodyHash: string;
	/** JSON of the original response body, returned again for the same key. */
	answer: string;
	jobId: number;
	createdAt: number;
}

export interface ApiKeyTable {
	id: Generated<number>;
	organizationId: number;
	name: string;
	prefix: string;
	/** SHA-256 of the key, hex; unique. */
	hash: string;
	/** JSON list of scopes. */
	scopes: string;
	/** JSON list of what it may make; null for all of it. */
	capabilities: Generated<string | null>;
	createdByUserId: number | null;
	createdAt: number;
	lastUsedAt: number | null;
	expiresAt: number | null;
	revokedAt: number | null;
}

export interface RunnerTokenTable {
	id: Generated<number>;
	organizationId: number;
	name: string;
	prefix: string;
	/** SHA-256 of the token, hex; unique. */
	hash: string;
	createdAt: number;
	lastUsedAt: number | null;
	/** Set when it is rotated: when its grace period ends. */
	expiresAt: number | null;
	revokedAt: number | null;
	/** JSON of TokenLimits; null for none. Never changed. */
	limits: Generated<string | null>;
	/** The first of the tokens that replaced each other, whose limits they share; null for itself. */
	familyId: Generated<number | null>;
}

/** A program that waits until a person confirms its code (lib/auth/credentials/device-sign-in.ts). */
export interface DeviceSignInTable {
	/** SHA-256 of the program's code. */
	hash: string;
	/** Code that the person confirms: `BCDF-GHJK`; unique. */
	userCode: string;
	name: string;
	address: string | null;
	/** JSON list: those that it asks for, then those that were confirmed. */
	scopes: string;
	createdAt: number;
	expiresAt: number;
	/** The person who confirmed it, and the organization; null until then. */
	organizationId: number | null;
	userId: number | null;
}

/** Append-only: triggers reject changes. */
export interface AuditEntryTable {
	id: Generated<number>;
	organizationId: number;
	at: number;
	actorKind: AuditActorKind;
	actorId: number | null;
	/** The name at that time, like the target's. */
	actorName: string;
	address: string | null;
	action: AuditAction;
	targetKind: AuditTargetKind | null;
	targetId: number | null;
	targetName: string | null;
	/** JSON object. */
	detail: string;
}

/** A public page that plays one recording. */
export interface ShareLinkTable {
	id: Generated<number>;
	organizationId: number;
	recordingId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	prefix: string;
	createdByUserId: number | null;
	createdByName: string;
	createdAt: number;
	expiresAt: number | null;
	revokedAt: number | null;
	/** Content that the link opens: `ShownByLink` as JSON; null for the page alone, as for links from before this column. */
	shown: string | null;
}

/** Storage used by an organization's recordings; maintained by triggers. */
export interface OrganizationUseTable {
	organizationId: number;
	bytes: number;
	/** Number of recordings, kept by triggers. */
	recordings: Generated<number>;
	/** Whether the last event for webhooks said that its storage is full. */
	saidFull: Generated<number>;
}

/** The bytes of an organization at the end of a day, noted every few minutes while the day lasts. */
export interface StorageDayTable {
	organizationId: number;
	/** Days since 1970, in UTC. */
	day: number;
	bytes: number;
}

/** When the jobs of a range of ids were created (job-zones). */
export interface JobZoneTable {
	/** Job id divided by JOBS_PER_ZONE. */
	zone: number;
	/** The highest id that is noted. */
	lastId: number;
	minCreatedAt: number;
	maxCreatedAt: number;
}

/** Storage reserved by uploads in progress of a known length. */
export interface QuotaReservationTable {
	uploadId: string;
	organizationId: number;
	bytes: number;
	createdAt: number;
}

export interface RetentionTable {
	organizationId: number;
	maxAgeDays: number | null;
	maxDiskPercent: number | null;
	maxBytes: number | null;
	/** Time in which deleted recordings can be restored. */
	trashHours: Generated<number>;
	testResultDays: Generated<number>;
}

/** One row for each label of a job, by triggers. */
export interface JobLabelTable {
	organizationId: number;
	key: string;
	value: string;
	jobId: number;
}

/** One row for each label of a recording, by triggers. */
export interface RecordingLabelTable {
	organizationId: number;
	key: string;
	value: string;
	/** The recording's, for the order of lists. */
	createdAt: number;
	recordingId: number;
}

/** The values of the label `build`, by triggers. */
export interface BuildTable {
	organizationId: number;
	name: string;
	/** Number of recordings that have this label now. */
	recordings: number;
	passed: Generated<number>;
	failed: Generated<number>;
	error: Generated<number>;
	skipped: Generated<number>;
	black: Generated<number>;
	/** Recordings in progress. */
	running: Generated<number>;
	/** Total length of recordings that are not in progress, in milliseconds. */
	durationMs: Generated<number>;
	/** Jobs and test runs with this label, and those of them that have not ended. */
	jobs: Generated<number>;
	unfinishedJobs: Generated<number>;
	/** The number of `jobs` that are test runs. */
	testRuns: Generated<number>;
	/** Tests by their last result, like the next five; the rest runs. */
	tests: Generated<number>;
	testsPassed: Generated<number>;
	testsFailed: Generated<number>;
	testsError: Generated<number>;
	testsSkipped: Generated<number>;
	/** Tests that passed at last, and failed for the same commit or before a retry: a part of `testsPassed`. */
	testsFlaky: Generated<number>;
	/** When the first of its jobs started, and the last one ended that has. */
	startedAt: Generated<number | null>;
	endedAt: Generated<number | null>;
	/** Labels of the job or recording that said so last. */
	branch: Generated<string | null>;
	commit: Generated<string | null>;
	repository: Generated<string | null>;
	workflow: Generated<string | null>;
	/** When the first and the last job or recording was created; may be earlier or later if that one was deleted. */
	firstAt: number;
	lastAt: number;
}

/** Up to when a person has seen what failed in an organization. */
export interface FailuresSeenTable {
	organizationId: number;
	userId: number;
	/** Failures at this very time are seen. */
	seenAt: number;
}

/** The time up to which a person has seen the failures of a group, in addition to those of FailuresSeenTable. */
export interface FailureGroupSeenTable extends FailuresSeenTable {
	kind: FailureGrouping;
	/** A cause, the id of a test, a build, or the hash of a screen that stands for those like it. */
	key: string;
}

/** A test over time; unique by organization, name, project and repository. */
export interface TestTable {
	id: Generated<number>;
	organizationId: number;
	/** Its label, or what stands for it (contract/series.ts); empty for none. */
	repository: Generated<string>;
	/** Empty for none. */
	project: string;
	name: string;
	/** Its place in the sources, like the next two: as its last result said. */
	suite: string | null;
	file: string | null;
	line: number | null;
	firstAt: number;
	lastAt: number;
	/** Outcome of the newest ended result, like the next column; null without any. */
	lastOutcome: Outcome | null;
	lastIsNew: Generated<number>;
	/** Number of the newest 30 results that ran to their end; the next columns count these (test-summaries.ts). */
	recentResults: Generated<number>;
	/** From 0 to 1, like the next one: the part that passed, or was flaky. 1 and 0 without any. */
	passRate: Generated<number>;
	flakyRate: Generated<number>;
	/** The median; -1 if none has a duration. */
	durationMs: Generated<number>;
	/** By how much the median of the newest 10 is above that of the 20 before; 0 if one of these has fewer than 5 durations. */
	durationChangeMs: Generated<number>;
}

/** Results that no job recorded; unique by organization and key. */
export interface TestRunTable {
	id: Generated<number>;
	organizationId: number;
	name: string;
	/** The tool that reports. */
	source: string | null;
	/** The caller's own, which it sends again to find the run. */
	key: string | null;
	/** JSON object of strings. Never changed. Triggers write testRunLabel. */
	labels: Generated<string>;
	/** Null while it runs. */
	outcome: Outcome | null;
	/** Why it ended like this, for a run without results. */
	message: string | null;
	/** It was ended because it reported nothing for too long. */
	isAbandoned: Generated<number>;
	/** Its failures are never new. */
	quietHistory: Generated<number>;
	createdAt: number;
	lastReportAt: number;
	endedAt: number | null;
	createdByKind: "user" | "apiKey" | "runner" | null;
	createdById: number | null;
	createdByName: string | null;
}

/** One row for each label of a test run, by triggers. */
export interface TestRunLabelTable {
	organizationId: number;
	key: string;
	value: string;
	testRunId: number;
}

/** One attempt of one test; unique by job or test run, isImplied and key. */
export interface TestResultTable {
	id: Generated<number>;
	organizationId: number;
	/** Null for an uploaded recording's. */
	jobId: number | null;
	/** An uploaded recording that owns the result, or that shows a result of a test run; unique. */
	recordingId: number | null;
	/** Only a test run's. */
	testRunId: Generated<number | null>;
	testId: number;
	/** Nobody reported it: it follows from the job, or from a session (lib/test-results/store/implied-results.ts). */
	isImplied: Generated<number>;
	key: string;
	/** The test's title. */
	name: string;
	/** Text that searches find in addition: its suite, and the beginning of its message. */
	searchText: string | null;
	/** Empty for none. */
	project: string;
	suite: string | null;
	file: string | null;
	line: number | null;
	attempt: number;
	/** Null while it runs. */
	outcome: Outcome | null;
	startedAt: number;
	endedAt: number | null;
	/** The moment that shows the failure: the end of the step that failed, or of the test. */
	momentAt: number | null;
	/** Whether its times are not exact, such as those of most JUnit reports. */
	isApproximate: Generated<number>;
	/** When the failure became known; null unless it failed. */
	failedAt: number | null;
	/** Copies of its job's labels, like the next two. */
	build: string | null;
	branch: string | null;
	commit: string | null;
	/** Groups failures of the same bug (lib/test-results/store/cause.ts); null unless it failed. */
	cause: string | null;
	/** The version of the rules that found the cause. */
	causeRules: Generated<number>;
	/** A hash of the frame at `momentAt` (lib/test-results/failure-frames.ts). */
	screen: string | null;
	hasFrame: Generated<number>;
	isFlaky: Generated<number>;
	isNew: Generated<number>;
	/** Whether its owner has the label `agent`: then it does not count for flakiness, for what is new, and in statistics. */
	isByAgent: Generated<number>;
	/** Whether CI passed in spite of it (lib/test-results/gate.ts). */
	isLetThrough: Generated<number>;
	/** Whether it is its test's last one in its build, by triggers; says nothing without a build. */
	isLast: Generated<number>;
	/** Bytes that count towards the quota. */
	bytes: number;
	stepsLeftOut: Generated<number>;
	message: string | null;
	stack: string | null;
	/** JSON list of StoredStep. */
	steps: string | null;
	/** JSON list of {at, outcome}: what it was before. */
	changes: string | null;
	createdAt: number;
}

/** The frame of a failure, which outlives the video. */
export interface TestFrameTable {
	resultId: number;
	jpeg: Buffer;
}

/** A file of a test result or a test run. Without either, its owner was deleted, and its file has to go. */
export interface AttachmentTable {
	id: Generated<number>;
	organizationId: number;
	resultId: number | null;
	testRunId: number | null;
	name: string;
	contentType: string;
	/** The file name in the videos folder; unique. */
	uploadId: string;
	bytes: number;
	/** SHA-256 of its bytes, hex. */
	sha256: string;
	/** The key in the bucket; null while it is on a dashboard's disk. */
	objectKey: string | null;
	createdAt: number;
	/** The size of an image that browsers show, in pixels; null for other files, and for those stored by earlier versions. */
	width: Generated<number | null>;
	height: Generated<number | null>;
}

/** Decisions of people about failures of one cause, or of one test. */
export interface FailureTriageTable {
	organizationId: number;
	kind: "cause" | "test";
	/** The cause, or the id of the test. */
	key: string;
	assigneeUserId: number | null;
	mutedUntil: number | null;
	muteReason: string | null;
	/** A name. */
	mutedBy: string | null;
	/** Whether CI passes in spite of it while it is muted (lib/test-results/gate.ts). Only of a cause. */
	letsPass: Generated<number>;
}

/** Defaults of an organization's jobs. */
export interface RecordingSettingsTable {
	organizationId: number;
	keep: Keep;
	graceSeconds: number;
	maxDurationSeconds: number | null;
	/** Template for hosts that are not known (contract/commit-url-template.ts). */
	commitUrlTemplate: Generated<string | null>;
	/** JSON of VideoOptions; null for none. */
	video: Generated<string | null>;
}

/** A search that a user gave a name. */
export interface SavedViewTable {
	id: Generated<number>;
	organizationId: number;
	/** Null for a view that everyone in the organization has. */
	userId: number | null;
	page: "jobs" | "recordings";
	name: string;
	/** The query of the page's URL. */
	query: string;
	createdAt: number;
}

/** The record of an upload that several dashboards may continue (lib/recordings/upload/upload-record.ts), as JSON. */
export interface UploadTable {
	id: string;
	record: string;
}

/** A stretch of a recording in progress, of SEGMENT_BYTES, in the bucket. Until the recording is stored as a whole. */
export interface VideoSegmentTable {
	uploadId: string;
	/** From 0. */
	number: number;
	objectKey: string;
}

/**
 * Objects in the bucket that no row refers to: written a moment ago, or to be deleted. An object is listed here before
 * it is written.
 */
export interface UnusedObjectTable {
	objectKey: string;
	deleteAfter: number;
	/** Set while it is written in parts. */
	multipartId: string | null;
}

/** Receivers of an organization's events (lib/webhooks). */
export interface WebhookTable {
	id: Generated<number>;
	organizationId: number;
	url: string;
	/** JSON list of WebhookEvent. */
	events: string;
	/** A search that jobs, recordings, tests and builds must match; null for all. */
	q: string | null;
	kind: Generated<WebhookKind>;
	/** Whether builds without new failures are left out. */
	onlyNew: Generated<number>;
	/** Encrypted, like the one before (lib/core/secret-box). */
	secretSealed: string;
	previousSecretSealed: Generated<string | null>;
	/** Until then requests are signed with the previous secret as well. */
	previousSecretUntil: Generated<number | null>;
	/** Encrypted token of a Slack bot that uploads the frames of failures; null without one. */
	botTokenSealed: Generated<string | null>;
	pausedAt: Generated<number | null>;
	/** Why the dashboard paused it; null if a person did. */
	pausedBecause: Generated<string | null>;
	createdBy: string | null;
	createdAt: number;
}

/**
 * An event, written in the transaction of its change (lib/lifecycle/outbox.ts). Deleted when its deliveries are
 * written.
 */
export interface WebhookEventTable {
	id: Generated<number>;
	organizationId: number;
	type: WebhookEvent;
	/** The id of what it happened to, or the name of a build. */
	subject: string;
	at: number;
	/** Not looked at before. */
	dueAt: number;
}

/** An event for one webhook. */
export interface WebhookDeliveryTable {
	id: Generated<number>;
	organizationId: number;
	webhookId: number;
	messageId: string;
	type: string;
	/** Deliveries with the same key are sent one after the other. */
	orderKey: string;
	/** Sent although the webhook is paused, because a person asked for it. */
	isManual: Generated<number>;
	body: string;
	state: Generated<DeliveryState>;
	attempts: Generated<number>;
	/** When it is sent next; null once it is delivered or has failed. */
	nextAt: number | null;
	createdAt: number;
	lastAttemptAt: Generated<number | null>;
	durationMs: Generated<number | null>;
	status: Generated<number | null>;
	error: Generated<string | null>;
	/** The beginning of what was answered. */
	answer: Generated<string | null>;
}

/** A job that is created again and again (lib/jobs/schedules.ts). */
export interface ScheduleTable {
	id: Generated<number>;
	organizationId: number;
	everySeconds: number;
	endsAt: number | null;
	/** JSON of the body of `POST /v1/jobs`, without its password. */
	job: string;
	gridPasswordSealed: string | null;
	pausedAt: Generated<number | null>;
	/** Why the dashboard paused it; null if a person did. */
	pausedBecause: Generated<string | null>;
	/** Null while it is paused, and once it has ended. */
	nextAt: number | null;
	/** The job may have been deleted in the meantime. */
	lastJobId: Generated<number | null>;
	startedJobs: Generated<number>;
	skippedStarts: Generated<number>;
	lastSkipAt: Generated<number | null>;
	lastSkipReason: Generated<string | null>;
	createdBy: string | null;
	/** Starts are a whole number of periods after it. */
	createdAt: number;
}

/** The end of a build, once it was announced or had come (lib/webhooks/build-ends.ts). */
export interface BuildEndTable {
	organizationId: number;
	name: string;
	/** Null for those that it had when its end was announced. */
	expectedJobs: number | null;
	finishedAt: number | null;
}

/** better-auth's tables, with only the columns that our own queries use. */
export interface UserTable {
	id: Generated<number>;
	name: string;
	email: string;
}
export interface OrganizationTable {
	id: Generated<number>;
	name: string;
	slug: string;
}
/** An organization that an owner asked to delete. */
export interface OrganizationDeletionTable {
	organizationId: number;
	requestedAt: number;
	/** A name. */
	requestedBy: string;
	/** From then on it is deleted, in steps. */
	deleteAt: number;
}

export interface MemberTable {
	id: Generated<number>;
	organizationId: number;
	userId: number;
	role: Role;
}

/** An invitation link to an organization. Single-use: `acceptedAt` is set by the first to accept. */
export interface InvitationLinkTable {
	id: Generated<number>;
	organizationId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	role: Role;
	/** Lower case; null if anyone with the link may accept. */
	email: string | null;
	createdByUserId: number;
	createdAt: number;
	expiresAt: number;
	revokedAt: number | null;
	acceptedAt: number | null;
	acceptedByUserId: number | null;
}

/** A link to set a new password. One per user; deleted when used. */
export interface PasswordResetLinkTable {
	id: Generated<number>;
	userId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	/** The user who created it; the user's own id if the machine's operator did. */
	createdByUserId: number;
	createdAt: number;
	expiresAt: number;
}

/** Periodic work that one dashboard process does for all (lib/db/claims.ts). */
export interface ClaimTable {
	name: string;
	/** Identifies the process. */
	holder: string;
	/** Nobody else may do the work before. */
	until: number;
}

/** A dashboard process that uses the database now, or died lately (lib/nodes/dashboard-processes.ts). */
export interface DashboardProcessTable {
	id: string;
	/** Identifies its secret key without revealing it. */
	secretKeyId: string;
	seenAt: number;
	/** The address of the bucket that it stores videos in, or `file:`. */
	storesIn: string;
	/** The address of the bucket that it can read, or `file:`. */
	readsFrom: string;
}

/** The last time that retention has seen, by organization (lib/recordings/space/clock-watch.ts). */
export interface ClockWatchTable {
	organizationId: number;
	/** The time by the dashboard's clock; it is not updated while that is doubtful. */
	seenAt: number;
	/** The machine's boot, and its uptime then. */
	bootId: string;
	uptimeMs: number;
	/** When the clock had jumped ahead, by that clock; null while it is believed. */
	jumpedAt: number | null;
}

/** A dashboard by its data directory, which outlives its processes (lib/nodes/dashboard-processes.ts). */
export interface DashboardNodeTable {
	id: string;
	/** The process that runs it now, or did last. */
	holder: string;
	/** The address at which other dashboards reach it. */
	internalUrl: string;
	/** Until then nobody else may continue its uploads. */
	until: number;
}

/** The dashboard that has the files of an upload (lib/recordings/upload/upload-leases.ts). */
export interface UploadLeaseTable {
	uploadId: string;
	nodeId: string;
	/** Grows with each change of hands, so that a former holder's writes are refused. */
	epoch: number;
	/** When the upload was complete. From then on it never changes hands. */
	storedAt: Generated<number | null>;
	/** When its recording was deleted; the files follow. */
	deletedAt: Generated<number | null>;
}

/** The newest picture of a display, for dashboards other than the one that received it. */
export interface DisplayPictureTable {
	runnerId: number;
	displayId: string;
	jpeg: Buffer;
	takenAt: number;
}

export interface Tables {
	organizationDeletion: OrganizationDeletionTable;
	deviceSignIn: DeviceSignInTable;
	claim: ClaimTable;
	dashboardNode: DashboardNodeTable;
	uploadLease: UploadLeaseTable;
	displayPicture: DisplayPictureTable;
	dashboardProcess: DashboardProcessTable;
	clockWatch: ClockWatchTable;
	invitationLink: InvitationLinkTable;
	passwordResetLink: PasswordResetLinkTable;
	dashboard: DashboardTable;
	job: JobTable;
	jobEvent: JobEventTable;
	runner: RunnerTable;
	recording: RecordingTable;
	marker: MarkerTable;
	track: TrackTable;
	trackBlock: TrackBlockTable;
	errorText: ErrorTextTable;
	recordedSession: RecordedSessionTable;
	gridSession: GridSessionTable;
	idempotencyKey: IdempotencyKeyTable;
	apiKey: ApiKeyTable;
	runnerToken: RunnerTokenTable;
	auditEntry: AuditEntryTable;
	shareLink: ShareLinkTable;
	retention: RetentionTable;
	upload: UploadTable;
	videoSegment: VideoSegmentTable;
	unusedObject: UnusedObjectTable;
	organizationUse: OrganizationUseTable;
	storageDay: StorageDayTable;
	heldRoom: QuotaReservationTable;
	jobZone: JobZoneTable;
	jobLabel: JobLabelTable;
	recordingLabel: RecordingLabelTable;
	build: BuildTable;
	failuresSeen: FailuresSeenTable;
	failureGroupSeen: FailureGroupSeenTable;
	test: TestTable;
	testRun: TestRunTable;
	testRunLabel: TestRunLabelTable;
	testResult: TestResultTable;
	testFrame: TestFrameTable;
	attachment: AttachmentTable;
	failureTriage: FailureTriageTable;
	recordingSettings: RecordingSettingsTable;
	savedView: SavedViewTable;
	webhook: WebhookTable;
	webhookEvent: WebhookEventTable;
	webhookDelivery: WebhookDeliveryTable;
	buildEnd: BuildEndTable;
	schedule: ScheduleTable;
	user: UserTable;
	organization: OrganizationTable;
	member: MemberTable;
}
