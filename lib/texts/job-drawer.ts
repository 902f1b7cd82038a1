/** The words of the drawer of one job. */

import { isolated, quoted } from "./isolated.ts";
import { counted } from "./words.ts";

export const jobDrawerTexts = {
	loading: "Loading the job",
	cannotBeShown: (id: number) => `Job ${id} cannot be shown`,
	becameStatus: (status: string) => `The job is ${status}.`,

	previousJob: "Previous job",
	previousJobHint: "Previous job (↑)",
	nextJob: "Next job",
	nextJobHint: "Next job (↓)",
	copyLink: "Copy link to this job",
	copyLinkHint: "Copy link",
	linkCopied: "Copied the link to this job.",
	linkNotCopied: (link: string) => `The browser did not allow copying. The link is ${link}`,
	runAgain: "Run again",

	cancelJob: "Cancel job",
	cancelJobHint: "Cancel job (C)",
	cancelling: "Cancelling…",
	notCancelled: (name: string, why: string) => `${quoted(name)} was not cancelled. ${why}`,
} as const;

/** What stands where the picture will be, or would have been. */
export const jobPictureTexts = {
	starting: "Starting. The first picture is about to come.",
	firstBytes: "Recording. The first bytes are on their way.",
	videoDeleted: "The video was deleted.",
	videoDeletedLongAgo: "The video was deleted. The job’s history is still here.",
	waitingFor: (span: string) => `Waiting for ${span}.`,
	runnerTakesIt: "The runner takes it in a moment.",
	theRunner: "The runner",
	neverConnected: "has never connected.",
	offlineFor: (span: string) => `has been offline for ${span}.`,
	startsWhenBack: "The job starts when it comes back.",
} as const;

/** How a job ended; `length` is how long was recorded, such as `30.0 s`. */
export const endingTexts = {
	ready: "Stopped. The video is ready.",
	openVideo: "Open the video",
	lastBytes: "The last bytes are on their way.",
	kept: "What was captured is kept.",
	keptAndPlays: "What was captured until then is kept and plays.",
	waitsForRoom: {
		disk: "The upload waits for room on the dashboard’s disk",
		quota: "The upload waits for room among your organization’s recordings",
	},
	waitsForRoomMeaning:
		"Nothing is lost: the runner keeps the video and sends it when there is room. Nobody has to start it again.",

	cancelledBeforeCapture: (by: string | null) =>
		`Cancelled${by === null ? "" : ` by ${by}`} before anything was captured, so there is no video.`,
	cancelled: (by: string | null, length: string | null) =>
		`Cancelled${by === null ? "" : ` by ${by}`}${length === null ? "" : ` after ${length}`}.`,
	durationElapsed: (length: string | null) =>
		length === null ? "Stopped after the time that was asked for." : `Stopped after ${length}, as asked.`,
	idle: (span: string, gridUrl: string, zeros: number) =>
		`0 sessions for ${span} on ${gridUrl}, confirmed by ${counted(zeros, "poll", "polls")}.`,
	idleUnseen: "Stopped because the grid had no session for 5 seconds.",
	runnerShutdown: "Stopped because its runner was shut down.",
	gridUnreachable: (gridUrl: string | null, why: string | null) =>
		`Stopped because the grid${gridUrl === null ? "" : ` at ${gridUrl}`} could not be reached for 60 seconds${why === null ? "" : `: ${why}`}.`,

	stalled: (stalls: number, length: string) =>
		stalls === 1
			? `The capture stalled for ${length}; the video shows the last frame from before.`
			: `The capture stalled ${stalls} times, for ${length} in all; the video shows the last frame from before each.`,
	gridAnswered: (status: number, polls: number) =>
		`The grid answered with ${status} to ${counted(polls, "poll", "polls")} in a row.`,
	lastAnswer: (why: string) => `The last poll saw: ${why}.`,
} as const;

export const jobConfigurationTexts = {
	title: "Configuration",
	runner: "Runner",
	unknownRunner: (id: number) => `Runner ${id}`,
	display: "Display",
	stopCondition: "Stop condition",
	duration: "Duration",
	gridUrl: "Grid URL",
	gridUsername: "Grid username",
	waitsForSession: "Waits for a session",
	created: "Created",
	createdBy: (name: string) => `by ${isolated(name)}`,
	started: "Started",
	stopped: "Stopped",
	ended: "Ended",
	jobId: "Job ID",
	copyId: "Copy the ID",
	repeatWithCurl: "Repeat it with curl",
	copyCommand: "Copy the command",
	passwordNeeded: "The grid’s password is not in it: set GRID_PASSWORD in your shell.",
} as const;

export const jobTimelineTexts = {
	title: "Events",
	notLoaded: "The events could not be loaded.",
	relativeToStart: "Times count from the first picture.",
	relativeToCreation: "Times count from the creation.",
	pollsShown: (shown: number, all: number) =>
		shown === all ? counted(all, "poll", "polls") : `${shown} of ${counted(all, "poll", "polls")}`,
	sessions: (count: number) => counted(count, "session", "sessions"),
	refused: (status: number) => `refused with ${status}`,
	took: (ms: number) => `${ms} ms`,
} as const;
