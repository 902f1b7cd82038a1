/** A length as answers tell it: seconds, to the millisecond. */
export const roundedSeconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;
