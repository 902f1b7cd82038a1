/** Lengths of time on the command line and in variables. */
import { MAX_DURATION_SECONDS } from "@tapedeck/contract/stop-condition.ts";

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads `90`, `90s`, `15m`, `1h`. @returns seconds; null if it is no length from 1 second to 7 days. */
export function secondsOf(text: string): number | null {
	const [, number, unit = "s"] = /^(\d{1,6})([smhd]?)$/.exec(text) ?? [];
	const seconds = Number(number) * (UNITS[unit || "s"] ?? 1);
	return seconds >= 1 && seconds <= MAX_DURATION_SECONDS ? seconds : null;
}
