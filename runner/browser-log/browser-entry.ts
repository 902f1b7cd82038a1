/** A browser's reports about its pages, whatever protocol it speaks: lines of the console, and finished requests. */
import type { TrackLevel } from "@tapedeck/contract/track.ts";

export interface ConsoleEntry {
	kind: "console";
	/** Milliseconds since 1970 by the browser's clock; null if it does not say. */
	at: number | null;
	/** Whether the entry is older than the subscription: the browser replays such entries to every new listener. */
	isReplayed: boolean;
	level: TrackLevel;
	text: string;
	/** The script that wrote the entry, and its line; null if there is none. */
	source: string | null;
	line: number | null;
}

export interface NetworkEntry {
	kind: "network";
	/** The start, in milliseconds since 1970 by the browser's clock; null if unknown. */
	at: number | null;
	/** Null if unknown: it has ended just now. */
	durationMs: number | null;
	/** Null for a request that was sent before the browser was listened to. */
	method: string | null;
	url: string;
	/** The answer's; null without one. */
	status: number | null;
	/** Why there is no answer, or not all of it. */
	error: string | null;
	/** The number of received bytes; null if unknown. */
	bytes: number | null;
}

export type BrowserEntry = ConsoleEntry | NetworkEntry;

/** A message of a protocol, parsed. Whatever a browser sends may be anything. */
export type Json = Record<string, unknown>;

export interface Listener {
	send(command: Json): void;
	entry(entry: BrowserEntry): void;
}

/** The listening end of a protocol. */
export interface Protocol {
	/** Subscribes to events once the connection is open. */
	begin(): void;
	/** Processes the next message. May throw for a message that is invalid in the protocol. */
	take(message: Json): void;
	/** Reports unfinished requests when the connection is closed. */
	end(): void;
}

export const objectIn = (value: unknown): Json =>
	typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
export const numberIn = (value: unknown): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;

/** Browsers count lines from 0. */
export const lineIn = (value: unknown): number | null => {
	const line = numberIn(value);
	return line === null ? null : line + 1;
};
