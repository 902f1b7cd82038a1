/** What markers can stand for. Without zod: pages read it too, in their first load. */

export const MARKER_KINDS = ["step", "pass", "fail", "note"] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];
