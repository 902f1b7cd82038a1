/**
 * Vocabulary of recordings: kinds, states, verdicts, sort keys, marker kinds, upload events. Without zod, because pages need
 * it in their first load.
 */

/** Kinds of files. Lists, labels, retention and sharing treat all alike; only a video has a length and frames. */
export const RECORDING_KINDS = ["video", "image", "document", "other"] as const;
export type RecordingKind = (typeof RECORDING_KINDS)[number];

/** `live`: still being uploaded. `ready`: complete. `partial`: what an interrupted upload left, still playable. */
export const RECORDING_STATES = ["live", "ready", "partial"] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];
/** `black`: a single colour throughout. `frozen`: no sampled frame differs from the first one. */
export const VERDICTS = ["ok", "black", "frozen"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The reported outcome of the recorded test; null until it is reported. */
export const OUTCOMES = ["passed", "failed", "error", "skipped"] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Whether it is something to look into. */
export const isFailure = (outcome: Outcome | null): boolean => outcome === "failed" || outcome === "error";
/** `failed`: a recording goes soon after its outcome becomes `passed`. */
export const KEEPS = ["always", "failed"] as const;
export type Keep = (typeof KEEPS)[number];
/** Why a recording was deleted: by a user, by a limit of retention, or because its test passed. */
export const DELETION_REASONS = ["request", "age", "size", "disk", "passed"] as const;
export type DeletionReason = (typeof DELETION_REASONS)[number];
export const RECORDING_SORTS = ["createdAt", "durationSeconds", "bytes"] as const;
export type RecordingSort = (typeof RECORDING_SORTS)[number];
export const ORDERS = ["desc", "asc"] as const;
export type Order = (typeof ORDERS)[number];

export const MAX_NAME_LENGTH = 200;

/** In one download. A URL with the ids of more is longer than some proxies accept. */
export const MAX_ZIPPED_RECORDINGS = 500;

export const MARKER_KINDS = ["step", "pass", "fail", "note"] as const;
/** Set by Tapedeck itself: a period in which nothing was captured. */
export const STALL_MARKER = "stall";
/** Set by Tapedeck itself: a session of the grid began. */
export const SESSION_MARKER = "session";

/** Job event: its upload waits for disk space or storage quota (`waitsFor` in its data). */
export const UPLOAD_WAITING = "upload_waiting";
/** Job event: its upload continues. */
export const UPLOAD_GOES_ON = "upload_goes_on";

/** Instead of a display's id: the runner makes one for the job. */
export const NEW_DISPLAY = "new";

/** The label of what an agent has recorded. Its results do not count in statistics of tests. */
export const AGENT_LABEL = "agent";
