/** The durations that the mute form offers. */
import { MAX_LETS_PASS_DAYS } from "@tapedeck/contract/gate.ts";

const MUTE_DAYS = [1, 7, 30, 90];

/** @returns days, ascending: all that the dashboard accepts for a mute that lets CI pass, or for one that does not. */
export const muteDays = (letsPass: boolean): number[] =>
	MUTE_DAYS.filter((days) => !letsPass || days <= MAX_LETS_PASS_DAYS);
