/**
 * Records the browsers' console and network activity as the tracks `console` and `network`. It never fails the
 * recording or a session. Activity that cannot be recorded is noted in the job's history, once per cause.
 */
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { errorMessage } from "../base/fault.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import { describeSession, sessionTitle } from "../grid/describe-session.ts";
import type { GridAddress } from "../grid/poll.ts";
import type { SessionCame } from "../grid/session-log.ts";
import { TrackWriter } from "../spool/track-writer.ts";
import { BrowserConnection } from "./browser-connection.ts";
import type { BrowserEntry } from "./browser-entry.ts";
import { consoleLine, networkLine } from "./kept-entry.ts";

/** The most browsers that are listened to at a time. */
const MAX_BROWSERS = 50;
/** The maximum time for which a grid may list a session whose browser has ended. */
const ENDING_MS = 3_000;

export interface BrowserLogTools {
	/** The spool folder of the recording. */
	folder: string;
	mask: SecretMask;
	allowed: AllowedGrids;
	/** Adds a note to the job's history. */
	note(event: string, message: string): void;
}

export class BrowserLog {
	readonly #grid: GridAddress;
	readonly #tools: BrowserLogTools;
	readonly #connections = new Map<string, BrowserConnection>();
	readonly #tracks = new Map<BrowserEntry["kind"], TrackWriter | null>();
	/**
	 * Connections that were lost a moment ago. The connection of an ended session is lost as well, before a poll reports
	 * the end.
	 */
	readonly #lost = new Map<string, NodeJS.Timeout>();
	readonly #noted = new Set<string>();
	readonly #begunAt = Date.now();

	constructor(grid: GridAddress, tools: BrowserLogTools) {
		this.#grid = grid;
		this.#tools = tools;
	}

	/** Listens to the browser of a session. */
	begin({ session, isFirst }: SessionCame): void {
		if (this.#connections.has(session.id)) return;
		const title = sessionTitle(session.id, describeSession(session.capabilities));
		if (this.#connections.size >= MAX_BROWSERS) {
			this.#note(
				"browser_log_incomplete",
				`${title} is one too many: the console of ${MAX_BROWSERS} is recorded at a time.`,
			);
			return;
		}
		// The beginning of an older session may have been recorded already: by this runner, before it was restarted.
		const since = isFirst ? this.#begunAt : 0;
		const connection = BrowserConnection.open(this.#grid, this.#tools.allowed, session, {
			entry: (entry, at, durationMs) => {
				if (at >= since) this.#add(entry, at, durationMs);
			},
			lost: (why) => {
				const message = `The connection to the browser of ${title} was lost: ${why}. Its console is not recorded any further.`;
				this.#lost.set(
					session.id,
					setTimeout(() => this.#note("browser_log_lost", message), ENDING_MS),
				);
			},
		});
		if (connection !== null) this.#connections.set(session.id, connection);
		else {
			const remedy = "Set the capability webSocketUrl to true";
			this.#note(
				"browser_log_not_offered",
				`${title} offers neither DevTools nor BiDi: its console is not recorded. ${remedy}.`,
			);
		}
	}

	/** The session has ended. */
	end(sessionId: string): void {
		clearTimeout(this.#lost.get(sessionId));
		this.#lost.delete(sessionId);
		this.#connections.get(sessionId)?.close();
		this.#connections.delete(sessionId);
	}

	/** Writes the remaining lines. */
	close(): void {
		for (const id of [...this.#connections.keys()]) this.end(id);
		for (const track of this.#tracks.values()) track?.close();
		this.#tracks.clear();
	}

	#add(entry: BrowserEntry, at: number, durationMs: number | null): void {
		const { mask } = this.#tools;
		const line = entry.kind === "console" ? consoleLine(entry, at, mask) : networkLine(entry, { at, durationMs }, mask);
		if (line !== null) this.#track(entry.kind)?.add(line);
	}

	/** Null when it cannot be written. */
	#track(kind: BrowserEntry["kind"]): TrackWriter | null {
		const known = this.#tracks.get(kind);
		if (known !== undefined) return known;
		let track: TrackWriter | null = null;
		try {
			track = new TrackWriter(this.#tools.folder, kind);
		} catch (error) {
			this.#note("browser_log_lost", `The track ${kind} could not be written: ${errorMessage(error)}.`);
		}
		this.#tracks.set(kind, track);
		return track;
	}

	#note(event: string, message: string): void {
		if (this.#noted.has(event)) return;
		this.#noted.add(event);
		this.#tools.note(event, message);
	}
}
