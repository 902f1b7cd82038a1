/** A duration as responses show it: seconds, rounded to milliseconds. */
export const roundedSeconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;
