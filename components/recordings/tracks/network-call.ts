/** The details of a call that a line of a network track has in its `data`. */
import type { TrackLine } from "@tapedeck/contract/track.ts";
import { formatBytes } from "#lib/client/format.ts";

export interface NetworkCall {
	method: string;
	/** The answer's, or why there was none. */
	status: string;
	url: string;
	/** The duration; empty if unknown. */
	time: string;
	/** The size of the response body; empty if unknown. */
	size: string;
}

/** Null for a line without an address, which is shown as text. */
export function networkCallOf({ data }: Pick<TrackLine, "data">): NetworkCall | null {
	if (data === null || typeof data.url !== "string") return null;
	const { url, method, status, error, durationMs, bytes } = data;
	const text = (value: unknown): string =>
		typeof value === "string" || typeof value === "number" ? String(value) : "";
	return {
		url,
		method: text(method) || "GET",
		status: text(status) || text(error),
		time: isCount(durationMs) ? formatMilliseconds(durationMs) : "",
		size: isCount(bytes) ? formatBytes(bytes) : "",
	};
}

/** The path and query, which tell calls to one host apart; an address that is none as it is. */
export function shortUrl(url: string): string {
	const parsed = URL.parse(url);
	return parsed === null || parsed.host === "" ? url : parsed.pathname + parsed.search;
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

const formatMilliseconds = (ms: number): string =>
	ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
