/** What recordings can be, and what lists of them are sorted by. Without zod: pages read it too, in their first load. */

/** `live`: bytes still arrive. `ready`: whole. `partial`: what an interrupted upload left behind; it plays. */
export const RECORDING_STATES = ["live", "ready", "partial"] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];
/** `black`: one colour for the whole length. `frozen`: not one sample of the picture differs from the first. */
export const VERDICTS = ["ok", "black", "frozen"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const RECORDING_SORTS = ["createdAt", "durationSeconds", "bytes"] as const;
export type RecordingSort = (typeof RECORDING_SORTS)[number];
export const ORDERS = ["desc", "asc"] as const;
export type Order = (typeof ORDERS)[number];
