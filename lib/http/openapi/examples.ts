/** Examples of the OpenAPI document. Typed, so that they change with the contract. */
import type { CreateJobBody, Job } from "@tapedeck/contract/job.ts";
import type { Marker } from "@tapedeck/contract/marker.ts";
import { PROBLEMS, type Problem, type ProblemCode } from "@tapedeck/contract/problem.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import type { Track, TrackLine } from "@tapedeck/contract/track.ts";
import { VERSION } from "@tapedeck/contract/version.ts";

const URL_OF = "https://tapedeck.example.com";

const runner: Runner = {
	id: 1,
	organizationId: 1,
	name: "ci-1",
	state: "online",
	displays: [{ id: ":99", width: 1280, height: 720 }],
	version: VERSION,
	versionStatus: "current",
	labels: { pool: "linux" },
	bufferSeconds: 120,
	virtualDisplays: 8,
	lastSeenAt: "2026-11-21T01:12:40.000Z",
	runningJobIds: [],
	waitingJobIds: [],
};

const recording: Recording = {
	id: 12,
	organizationId: 1,
	jobId: 42,
	runnerId: 1,
	name: "Checkout tests",
	kind: "video",
	state: "ready",
	contentType: "video/mp4",
	durationSeconds: 30,
	bytes: 1_843_200,
	width: 1280,
	height: 720,
	video: { preset: "sharp", framesPerSecond: 30, cursor: true, crf: 19, maxWidth: 1280 },
	createdAt: "2026-11-21T01:12:00.000Z",
	verdict: "ok",
	pinned: false,
	labels: { build: "123", branch: "main" },
	outcome: "passed",
	keep: "failed",
	deleteAt: "2026-11-21T02:12:31.000Z",
	keptUntil: null,
	url: `${URL_OF}/recordings/12`,
	videoUrl: `${URL_OF}/v1/recordings/12/video`,
	posterUrl: `${URL_OF}/v1/recordings/12/poster`,
};

const job: Job = {
	id: 42,
	organizationId: 1,
	runnerId: 1,
	type: "recording",
	displayId: ":99",
	name: "Checkout tests",
	selector: null,
	labels: recording.labels,
	outcome: recording.outcome,
	keep: recording.keep,
	pinned: recording.pinned,
	maxDurationSeconds: null,
	video: { preset: "sharp", framesPerSecond: 30, maxWidth: 1280 },
	preSeconds: 0,
	stopCondition: "duration",
	stopConditionConfig: { durationSeconds: 30 },
	status: "completed",
	stopReason: "duration_elapsed",
	error: null,
	createdAt: "2026-11-21T01:11:59.120Z",
	startedAt: "2026-11-21T01:12:00.000Z",
	stoppedAt: "2026-11-21T01:12:30.000Z",
	endedAt: "2026-11-21T01:12:30.310Z",
	cancelRequestedAt: null,
	createdBy: { kind: "apiKey", id: 3, name: "CI" },
	recording: {
		kind: "video",
		id: recording.id,
		state: recording.state,
		url: recording.url,
		durationSeconds: recording.durationSeconds,
		bytes: recording.bytes,
		width: recording.width,
		height: recording.height,
		video: recording.video,
		verdict: recording.verdict,
		deleteAt: recording.deleteAt,
	},
	deletedRecording: null,
};

const createJob: CreateJobBody = {
	runnerId: 1,
	displayId: ":99",
	name: "Checkout tests",
	stopCondition: "duration",
	stopConditionConfig: { durationSeconds: 30 },
};

const marker: Marker = {
	id: 7,
	jobId: 42,
	label: "Payment form shown",
	kind: "step",
	message: null,
	at: "2026-11-21T01:12:12.500Z",
	offsetSeconds: 12.5,
	clampedTo: null,
};

const track: Track = {
	name: "log",
	kind: "log",
	lines: 318,
	bytes: 41_230,
	received: 41_230,
	firstAt: "2026-11-21T01:12:00.120Z",
	lastAt: "2026-11-21T01:12:29.870Z",
};

const trackLine: TrackLine = {
	line: 142,
	at: "2026-11-21T01:12:12.500Z",
	offsetSeconds: 12.5,
	text: "POST /checkout answered 500",
	level: "error",
	data: null,
};

/** @returns a problem document with this code. */
export const problemExample = (code: ProblemCode): Problem => ({
	type: `urn:tapedeck:problem:${code}`,
	title: PROBLEMS[code].title,
	status: PROBLEMS[code].status,
	detail: DETAILS[code] ?? PROBLEMS[code].title,
	code,
	requestId: "0b9c2f0e-6a54-4a0e-9a55-2f6f0f7d1c11",
	...(code === "validation_failed"
		? {
				errors: [
					{
						path: "stopConditionConfig.durationSeconds",
						code: "too_small",
						message: "Send at least 1 second.",
					},
				],
			}
		: {}),
});

const DETAILS: Partial<Record<ProblemCode, string>> = {
	bad_request: "Send an Idempotency-Key of 1 to 200 visible ASCII characters, or none.",
	unauthorized: "Send a valid API key as `Authorization: Bearer <API_KEY>`, or sign in to the dashboard.",
	validation_failed: "stopConditionConfig.durationSeconds: Send at least 1 second.",
};

/** Examples by the name of the schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
	Job: job,
	CreateJob: createJob,
	Recording: recording,
	Runner: runner,
	Marker: marker,
	Track: track,
	TrackLine: trackLine,
	Problem: problemExample("validation_failed"),
};

/** Examples of successful responses, by operation. */
export const RESPONSE_EXAMPLES: Readonly<Record<string, unknown>> = {
	createJob: {
		...job,
		status: "queued",
		stopReason: null,
		startedAt: null,
		stoppedAt: null,
		endedAt: null,
		recording: null,
	},
	listJobs: { data: [job], nextCursor: null },
	listRecordings: { data: [recording], nextCursor: null },
	listRunners: { data: [runner], nextCursor: null },
	listJobMarkers: { data: [marker], nextCursor: null },
	createJobMarkers: { data: [marker] },
	listTracks: { data: [track] },
	appendToTrack: { ...track, refused: 0, faults: [] },
	readTrack: { data: [trackLine], nextCursor: null },
	createSignedUrl: {
		url: `${recording.videoUrl}?expires=1795223520&signature=kJ4v`,
		posterUrl: `${recording.posterUrl}?expires=1795223520&signature=Pq0s`,
		expiresAt: "2026-11-21T02:12:00.000Z",
	},
};
