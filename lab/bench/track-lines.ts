/** Lines of a track as a test's program writes them: about 150 bytes as JSON, with a few warnings and errors. */
import type { NewTrackLine } from "#runner/spool/track-writer.ts";

const WARNING_EVERY = 50;
const ERROR_EVERY = 500;

/** @param at milliseconds since 1970. @param index of the line, on which its text depends. */
export function trackLine(at: number, index: number): NewTrackLine {
	// As good as random, and the same in every run.
	const id = (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
	const request = `GET /api/orders/${100_000 + index}?page=${index % 17}`;
	if (index % ERROR_EVERY === ERROR_EVERY - 1)
		return { at, level: "error", text: `[worker ${index % 4}] ${request} failed: connection refused, trace ${id}` };
	const level = index % WARNING_EVERY === 0 ? "warn" : "info";
	return { at, level, text: `[worker ${index % 4}] ${request} 200 in ${index % 97} ms, trace ${id}` };
}

/** So many lines as they are sent, from a moment on, spread over so many milliseconds. */
export const ndjsonOf = (count: number, from: number, overMs: number): string =>
	Array.from({ length: count }, (_, index) => {
		const { at, ...line } = trackLine(from + (index / count) * overMs, index);
		return `${JSON.stringify({ at: new Date(at).toISOString(), ...line })}\n`;
	}).join("");
