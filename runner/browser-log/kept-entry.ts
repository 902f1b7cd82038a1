/** Selects the entries of a browser that become lines of a track, and formats them. */

import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { MAX_TRACK_LINE_BYTES, type TrackLevel } from "@tapedeck/contract/track.ts";
import type { NewTrackLine } from "../spool/track-writer.ts";
import type { ConsoleEntry, NetworkEntry } from "./browser-entry.ts";

/** Requests that take longer are recorded although they succeeded. */
const SLOW_MS = 1_000;
/** The maximum length of a text or an address before secrets are masked. */
const KEPT_CHARACTERS = 4 * MAX_TRACK_LINE_BYTES;
const MAX_ADDRESS_CHARACTERS = 2 * 1024;
/** Chrome's word for a request that its page gave up, for example because it was left. */
const GIVEN_UP = "net::ERR_ABORTED";

export function consoleLine({ level, text, source, line }: ConsoleEntry, at: number, mask: SecretMask): NewTrackLine {
	const data = {
		...(source === null ? {} : { source: maskedAddress(source, mask) }),
		...(line === null ? {} : { line }),
	};
	return { at, level, text: masked(text, mask), ...(source === null && line === null ? {} : { data }) };
}

/** @param durationMs its time as a whole. @returns null for a request that is not worth a line. */
export function networkLine(
	{ method, url, status, error, bytes }: NetworkEntry,
	{ at, durationMs }: { at: number; durationMs: number | null },
	mask: SecretMask,
): NewTrackLine | null {
	// Leaves out addresses without a server: data, blobs and the browser's own pages.
	if (!/^https?:/i.test(url)) return null;
	const isRefused = status !== null && status >= 400;
	const failed = error !== null || isRefused;
	if (!failed && (durationMs ?? 0) <= SLOW_MS) return null;
	const level: TrackLevel = !failed ? "warn" : error === GIVEN_UP && !isRefused ? "info" : "error";
	const address = maskedAddress(url, mask);
	const result = isRefused || error === null ? { status } : { error: masked(error, mask) };
	const data = {
		...(method === null ? {} : { method }),
		...result,
		url: address,
		...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
		...(bytes === null ? {} : { bytes: Math.round(bytes) }),
	};
	return { at, level, text: [method, address, result.status ?? result.error].filter(Boolean).join(" "), data };
}

/** Masks a text. A text that is cut here is still so long that the dashboard marks it as cut. */
function masked(text: string, mask: SecretMask): string {
	if (text.length <= KEPT_CHARACTERS) return mask.apply(text);
	return mask.applyToCut(text.slice(0, KEPT_CHARACTERS)) + " ".repeat(MAX_TRACK_LINE_BYTES);
}

/** An address is cut first of all, because it is in a line twice. */
function maskedAddress(url: string, mask: SecretMask): string {
	if (url.length <= MAX_ADDRESS_CHARACTERS) return masked(url, mask);
	return `${mask.applyToCut(url.slice(0, MAX_ADDRESS_CHARACTERS))}…`;
}
