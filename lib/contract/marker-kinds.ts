/** What markers can stand for. Without zod: pages read it too, in their first load. */

export const MARKER_KINDS = ["step", "pass", "fail", "note"] as const;
/** What Tapedeck marks by itself: a stretch in which nothing was captured. */
export const STALL_MARKER = "stall";
export type MarkerKind = (typeof MARKER_KINDS)[number];
