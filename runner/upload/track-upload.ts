/**
 * Uploads the tracks of a recording from its spool folder while they grow. The dashboard reports how much of each file
 * it has, so the runner stores no offset: after a crash, the restarted runner continues there.
 */
import { open } from "node:fs/promises";
import { JOB_KEY_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { appendedTrackSchema, NDJSON } from "@tapedeck/contract/track.ts";
import type { RunnerLog } from "../base/log.ts";
import { Backoff, pause } from "../base/wait.ts";
import { problemOf } from "../dashboard/client.ts";
import type { Connection } from "../dashboard/connection.ts";
import { trackFile, tracksIn } from "../spool/track-files.ts";

const POLL_MS = 2_000;
const TIMEOUT_MS = 15_000;
/** Maximum bytes of one call. Longer than any line of a track. */
const MAX_PIECE_BYTES = 512 * 1024;
const LINE_END = 0x0a;

export interface TrackSource {
	folder: string;
	/** Names the recording in log messages. */
	label: string;
	jobId: number;
	jobKey: string;
}

/** The required part of the connection to the dashboard. */
type Uplink = Pick<Connection, "client" | "clock">;

export class TrackUpload {
	readonly #connection: Uplink;
	readonly #source: TrackSource;
	readonly #log: RunnerLog;
	/** Number of bytes of each track that the dashboard has. */
	readonly #received = new Map<string, number>();
	/** Tracks that the dashboard refuses. */
	readonly #refused = new Set<string>();

	constructor(connection: Uplink, source: TrackSource, log: RunnerLog) {
		this.#connection = connection;
		this.#source = source;
		this.#log = log;
	}

	/** Sends new lines until the signal aborts. Never throws. */
	async whileRecording(over: AbortSignal): Promise<void> {
		while (!over.aborted) {
			await pause(POLL_MS, over);
			if (!over.aborted) await this.#send(over);
		}
	}

	/** Sends the remaining lines, and retries until the dashboard has them or the signal aborts. Never throws. */
	async sendAll(signal: AbortSignal): Promise<void> {
		const backoff = new Backoff();
		while (!signal.aborted && !(await this.#send(signal))) await pause(backoff.nextMs(), signal);
	}

	/** @returns whether the dashboard has everything that it takes. */
	async #send(signal: AbortSignal): Promise<boolean> {
		let isComplete = true;
		for (const name of await tracksIn(this.#source.folder)) {
			if (this.#refused.has(name) || signal.aborted) continue;
			isComplete = (await this.#sendTrack(name, signal).catch(() => false)) && isComplete;
		}
		return isComplete;
	}

	/**
	 * @returns whether the track was sent to its end, or refused permanently. @throws when it cannot be read, or not sent
	 *   now.
	 */
	async #sendTrack(name: string, signal: AbortSignal): Promise<boolean> {
		let received = this.#received.get(name) ?? (await this.#append(name, "", null, signal));
		const file = await open(trackFile(this.#source.folder, name), "r");
		try {
			const buffer = Buffer.allocUnsafe(MAX_PIECE_BYTES);
			while (received !== null && !signal.aborted) {
				this.#received.set(name, received);
				const { bytesRead } = await file.read(buffer, 0, buffer.length, received);
				// A line that is being written follows later.
				const end = buffer.subarray(0, bytesRead).lastIndexOf(LINE_END) + 1;
				if (end === 0) return true;
				received = await this.#append(name, buffer.subarray(0, end), received, signal);
			}
		} finally {
			await file.close();
		}
		return received === null;
	}

	/** @returns how much the dashboard has; null when it takes nothing more. @throws when that may change. */
	async #append(name: string, body: Buffer | string, from: number | null, signal: AbortSignal): Promise<number | null> {
		const { client, clock } = this.#connection;
		if (client.sessionId === null) throw new Error("not signed in");
		const { jobId, jobKey, label } = this.#source;
		const query = new URLSearchParams({
			...(from === null ? {} : { from: String(from) }),
			...(clock.shiftMs === undefined ? {} : { clockShiftMs: String(Math.round(clock.shiftMs)) }),
		});
		const answer = await client.send({
			method: "POST",
			path: `/v1/runner/jobs/${jobId}/tracks/${name}?${query}`,
			headers: { "content-type": NDJSON, [JOB_KEY_HEADER]: jobKey },
			body,
			timeoutMs: TIMEOUT_MS,
			signal,
		});
		if (answer.status === 200)
			return appendedTrackSchema.pick({ received: true }).parse(JSON.parse(answer.text)).received;
		this.#received.delete(name);
		// A full track, a deleted recording, or a dashboard of a version without tracks.
		if ([404, 405, 410, 413, 415, 422].includes(answer.status)) {
			this.#refused.add(name);
			if (answer.status !== 404 && answer.status !== 410) {
				this.#log.warn(`${label}: the rest of its track ${name} is not uploaded: ${problemOf(answer)?.detail}`);
			}
			return null;
		}
		throw new Error(`status ${answer.status}`);
	}
}
