/** `POST /v1/jobs/{id}/tracks/{name}`: appends the lines of a request's body, and stores them while they arrive. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { plainType } from "@tapedeck/contract/media-type.ts";
import { type AppendedTrack, MAX_LINE_FAULTS, MAX_TRACK_BYTES, MAX_TRACKS, NDJSON } from "@tapedeck/contract/track.ts";
import { inTransaction } from "#lib/core/context.ts";
import { invalid, isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { lockOwnJob } from "#lib/lifecycle/job-store.ts";
import { MAX_AHEAD_MS } from "#lib/lifecycle/marker-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { assertQuotaLeft } from "../space/storage-quota.ts";
import { findHeldJob, NOT_HELD, type RunnerCall } from "../upload/owner.ts";
import { addErrorText } from "./error-text.ts";
import { readNewLine, type StoredLine, writeLine } from "./read-line.ts";
import { LineSplitter, type SplitLine } from "./split-lines.ts";
import { appendLines, findTrack, findTrackJob, TRACK_BLOCK_BYTES, type TrackRow, trackView } from "./track-store.ts";

/** Interval of storing lines from a body that arrives slowly. */
const STORED_EVERY_MS = 500;

interface AppendCall {
	jobId: number;
	name: string;
	/** Number of bytes of the sender's stream before the body; undefined means the number that is stored. */
	from?: number;
	/** Time by which the sender's clock is behind ours. */
	clockShiftMs?: number;
	req: IncomingMessage;
}

/**
 * @returns the track, with the lines of the body that could not be read.
 * @throws unsupported_media_type; not_found; gone if the recording was deleted; conflict if the body begins after what is
 *   stored, or if another caller appends at the same time; validation_failed for one track too many; payload_too_large if
 *   the track is full; insufficient_storage; quota_exceeded; bad_request if the body broke off. What was stored until
 *   then stays.
 */
export async function appendToTrack(ctx: RecordingContext, call: AppendCall): Promise<AppendedTrack> {
	if (plainType(call.req.headers["content-type"]) !== NDJSON) {
		throw new TapedeckError("unsupported_media_type", `Send lines of JSON, with the header Content-Type: ${NDJSON}.`);
	}
	const { startedAt } = await findTrackJob(ctx, call.jobId);
	const row = await findTrack(ctx, call.jobId, call.name);
	const track = new OpenTrack(ctx, call, startedAt, row ?? null);
	const lines = new LineSplitter();
	let storedAt = performance.now();
	const store = async () => {
		await track.store();
		storedAt = performance.now();
	};
	try {
		// Keep the request alive when this loop ends early: it still has to be answered.
		for await (const chunk of call.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			for (const line of lines.push(chunk)) if (track.add(line)) await store();
			if (performance.now() - storedAt > STORED_EVERY_MS) await store();
		}
		if (!call.req.complete) throw call.req.errored ?? new Error("the connection was closed");
	} catch (cause) {
		if (isTapedeckError(cause) || call.req.complete) throw cause;
		// Its complete lines count.
		await store();
		throw new TapedeckError("bad_request", "The body ended early. Go on after what is stored.", { cause });
	}
	const rest = lines.end();
	if (rest !== null) track.add(rest);
	await store();
	return track.answer();
}

/** `POST /v1/runner/jobs/{id}/tracks/{name}`: the same by the runner of the job. @throws also forbidden, unless it is. */
export async function appendToHeldTrack(
	ctx: RecordingContext,
	runner: RunnerCall,
	call: AppendCall,
): Promise<AppendedTrack> {
	if ((await findHeldJob(ctx, runner, call.jobId)) === undefined) throw new TapedeckError("forbidden", NOT_HELD);
	return appendToTrack(ctx, call);
}

/** A track that one call appends to. */
class OpenTrack {
	readonly #ctx: RecordingContext;
	readonly #call: AppendCall;
	readonly #startedAt: number | null;
	readonly #shiftMs: number;
	/** Null until it has something. */
	#row: TrackRow | null;
	/** Bytes of the body that are stored already. */
	#skip: number;
	/** Lines of the body so far. */
	#count = 0;
	#refused = 0;
	readonly #faults: AppendedTrack["faults"] = [];
	/** The lines to store next. */
	#lines: StoredLine[] = [];
	/** It as NDJSON. */
	#ndjson: string[] = [];
	#bytes = 0;
	/** Their size in the body. */
	#length = 0;
	#isFull = false;
	#lastLine: SplitLine | null = null;

	/** @throws conflict if the body begins after what is stored. */
	constructor(ctx: RecordingContext, call: AppendCall, startedAt: number | null, row: TrackRow | null) {
		const received = row?.received ?? 0;
		if (call.from !== undefined && call.from > received) throw notThere(received);
		this.#ctx = ctx;
		this.#call = call;
		this.#startedAt = startedAt;
		// As with reports: smaller differences are those of the measurement.
		this.#shiftMs = Math.abs(call.clockShiftMs ?? 0) < 500 ? 0 : (call.clockShiftMs ?? 0);
		this.#row = row;
		this.#skip = received - (call.from ?? received);
	}

	/** @returns whether it is time to store. @throws conflict if what is stored came from another stream. */
	add(split: SplitLine): boolean {
		if (this.#isFull) return false;
		this.#count += 1;
		if (this.#skip > 0) {
			this.#skip -= split.length;
			if (this.#skip > 0) return false;
			// Its last line may have been sent without a line end at first.
			if (this.#skip < -1 || hashOf(split) !== this.#row?.lastLineHash) throw otherStream();
			this.#length = -this.#skip;
			this.#lastLine = split;
			this.#skip = 0;
			return false;
		}
		const latest = this.#ctx.clock.now() + MAX_AHEAD_MS;
		const line = readNewLine(split, { startedAt: this.#startedAt, latest, shiftMs: this.#shiftMs });
		if (typeof line === "string") {
			this.#refused += 1;
			if (this.#faults.length < MAX_LINE_FAULTS) this.#faults.push({ line: this.#count, message: line });
		} else if (line !== null) {
			const json = writeLine(line);
			const bytes = Buffer.byteLength(json);
			this.#isFull = (this.#row?.bytes ?? 0) + this.#bytes + bytes > MAX_TRACK_BYTES;
			if (this.#isFull) return true;
			this.#lines.push(line);
			this.#ndjson.push(json);
			this.#bytes += bytes;
		}
		this.#length += split.length;
		this.#lastLine = split;
		return this.#bytes >= TRACK_BLOCK_BYTES;
	}

	/** Stores what was added. @throws conflict, validation_failed, payload_too_large, insufficient_storage, quota_exceeded */
	async store(): Promise<void> {
		const added = { lines: this.#lines, ndjson: this.#ndjson.join(""), bytes: this.#bytes };
		const length = this.#length;
		const lastLineHash = this.#lastLine === null ? null : hashOf(this.#lastLine);
		this.#lines = [];
		this.#ndjson = [];
		this.#bytes = 0;
		this.#length = 0;
		if (length > 0) {
			await this.#ctx.diskSpace.claim(added.bytes);
			await assertQuotaLeft(this.#ctx);
			this.#row = await inTransaction(this.#ctx, async (ctx) => {
				const row = this.#row ?? (await createTrack(ctx, this.#call));
				const stretch = { from: row.received, to: row.received + length, lastLineHash };
				const appended = await appendLines(ctx, row, { ...added, ...stretch });
				if (appended === undefined) throw notThere((await findTrack(ctx, row.jobId, row.name))?.received ?? 0);
				await addErrorText(ctx, row.jobId, added.lines);
				return appended;
			});
		}
		if (this.#isFull) throw new TapedeckError("payload_too_large", FULL);
	}

	answer(): AppendedTrack {
		const { name } = this.#call;
		const empty = { name, lines: 0, bytes: 0, received: 0, firstAt: null, lastAt: null };
		return { ...trackView(this.#row ?? empty), refused: this.#refused, faults: this.#faults };
	}
}

const FULL = `A track has at most ${MAX_TRACK_BYTES / 2 ** 20} MiB. The lines that fitted are stored; the rest was refused.`;

/** The caller must go on elsewhere: after a gap, or because another caller has appended meanwhile. */
const notThere = (received: number): TapedeckError =>
	new TapedeckError(
		"conflict",
		`${received} bytes of this track are stored, by this or another sender. Go on there, with from=${received}.`,
		{ faults: [{ path: "from", code: "expected", message: `Send from=${received}.` }] },
	);

const otherStream = (): TapedeckError =>
	new TapedeckError(
		"conflict",
		"Another sender writes this track: what is stored differs from your stream. Send yours under another name.",
	);

const hashOf = ({ bytes }: SplitLine): string =>
	createHash("sha256")
		.update(bytes ?? "")
		.digest("base64url");

/** @throws conflict if there is one of that name; validation_failed if there are too many. */
async function createTrack(ctx: RecordingContext, { jobId, name }: AppendCall): Promise<TrackRow> {
	// So that of two calls only one adds the last track.
	await lockOwnJob(ctx, jobId);
	const tracks = await ctx.db.selectFrom("track").select(["name", "received"]).where("jobId", "=", jobId).execute();
	const same = tracks.find((track) => track.name === name);
	if (same !== undefined) throw notThere(same.received);
	if (tracks.length >= MAX_TRACKS) {
		const message = `This job has ${MAX_TRACKS} tracks, which is as many as it can have. Append to one of them.`;
		throw invalid({ path: "name", code: "too_big", message });
	}
	return ctx.db
		.insertInto("track")
		.values({ organizationId: ctx.actor.organizationId, jobId, name, createdAt: ctx.clock.now() })
		.returningAll()
		.executeTakeFirstOrThrow();
}
