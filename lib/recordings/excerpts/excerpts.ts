/**
 * Excerpts are created from videos on request: clips, frames in full size, and the pictures of digests. This file limits how
 * many are created at a time, and keeps each of them for a while, because the same one is often requested again soon: in
 * parts, by the page and the chat that show a link, or by everyone who has it.
 */
import { type Context, turnTakerOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { FairTurns, type TurnTaker } from "#lib/db/fair-turns.ts";

/** Concurrency limits: ffmpeg has the lowest priority, but the processors are also there for people who play and record. */
const LIMITS = {
	/** Clips, digests and comparisons, which take seconds. */
	long: { all: 3, organization: 2, caller: 1 },
	/** Frames, which do not wait for those. */
	frame: { all: 2, organization: 1, caller: 1 },
};
export type ExcerptKind = keyof typeof LIMITS;

const MAX_WAITING = 50;
const DEFAULT_TIMES: ExcerptTimes = { waitMs: 30_000, workMs: 180_000, keepMs: 10 * 60_000 };
/** Maximum size of all excerpts on the disk: kept ones, and those being created or sent. */
const MAX_BYTES = 2 ** 30;
/** Maximum size of excerpts being created or sent. They cannot be deleted to make space. */
const MAX_USED_BYTES = { organization: 2 ** 29, caller: 2 ** 28 };
/** Each is an open file. */
const MAX_KEPT = 200;

export interface ExcerptTimes {
	/** Maximum time that a call waits for its turn. */
	waitMs: number;
	/** Maximum time to create an excerpt. With `waitMs`, it must be less than an answer may take (read-request.ts). */
	workMs: number;
	/** Time that an excerpt is kept after its last use. */
	keepMs: number;
}

/** An excerpt that was created. */
export interface Made<T> {
	value: T;
	/** On the disk. */
	bytes: number;
	/** Frees its space. */
	discard?: () => Promise<void>;
}

export interface ExcerptCall {
	kind: ExcerptKind;
	/** The same for every call that gets the same excerpt; null if it must not be kept, as of a recording in progress. */
	key: string | null;
	/** The most that it may take on the disk. */
	maxBytes: number;
	/** Aborts when the caller has gone. */
	signal: AbortSignal;
}

interface Entry {
	taker: TurnTaker;
	/** While it is created, as many as it may take. */
	bytes: number;
	/** Calls that wait for it or read it. */
	users: number;
	made: Promise<void>;
	value: unknown;
	discard: () => Promise<void>;
	/** Ends its creation. */
	stop: AbortController;
	expiry: NodeJS.Timeout | undefined;
	isMade: boolean;
}

type Caller = Pick<Context, "actor" | "address">;

/** One per process. */
export class Excerpts {
	readonly #times: ExcerptTimes;
	readonly #turns: Record<ExcerptKind, FairTurns>;
	/** Least recently used first. */
	readonly #entries = new Map<string | symbol, Entry>();
	/** Ends the waiting of calls for an excerpt whose creation has begun for another one. */
	readonly #waiting = new Map<string | symbol, Set<() => void>>();

	constructor(times: Partial<ExcerptTimes> = {}) {
		this.#times = { ...DEFAULT_TIMES, ...times };
		const { waitMs } = this.#times;
		const turnsOf = (kind: ExcerptKind) =>
			new FairTurns({ ...LIMITS[kind], waiting: MAX_WAITING, waitMs }, (why) =>
				why === "too many" ? tooManyWaiting() : tooLate(waitMs),
			);
		this.#turns = { long: turnsOf("long"), frame: turnsOf("frame") };
	}

	/**
	 * Runs `work` when it is the caller's turn. For parts of a longer search, of which nothing is kept.
	 * @param signal aborts when the caller has gone.
	 * @throws too_many_requests when the caller has many waiting; unavailable when its turn does not come, or its work does not
	 *   end, in time; the signal's reason.
	 */
	async take<T>(caller: Caller, kind: ExcerptKind, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
		const end = await this.#turns[kind].take(turnTakerOf(caller), signal);
		const stop = new AbortController();
		const leave = () => stop.abort(signal.reason);
		signal.addEventListener("abort", leave, { once: true });
		try {
			return await this.#inTime(stop, work);
		} finally {
			signal.removeEventListener("abort", leave);
			end();
		}
	}

	/**
	 * Runs `work` with an excerpt: one that is kept, one that is created for another call at this moment, or a new one. Its
	 * creation ends when nobody waits for it any more.
	 * @throws like `take`, `create` and `work`; unavailable while too much of the disk is in use.
	 */
	async use<T, R>(
		caller: Caller,
		call: ExcerptCall,
		create: (signal: AbortSignal) => Promise<Made<T>>,
		work: (value: T) => Promise<R>,
	): Promise<R> {
		const key = call.key ?? Symbol("not kept");
		const entry = this.#join(key) ?? (await this.#takeTurn(caller, key, call, create));
		try {
			await untilAborted(entry.made, call.signal);
			return await work(entry.value as T);
		} finally {
			entry.users -= 1;
			if (entry.users === 0) this.#rest(key, entry);
		}
	}

	/** Ends what is created, and discards what is kept. */
	async close(): Promise<void> {
		const entries = [...this.#entries.values()];
		this.#entries.clear();
		for (const { stop, expiry } of entries) {
			clearTimeout(expiry);
			stop.abort(new Error("The dashboard stops."));
		}
		await Promise.allSettled(entries.map(({ made, discard }) => made.then(discard)));
	}

	#join(key: string | symbol): Entry | null {
		const entry = this.#entries.get(key);
		if (entry === undefined) return null;
		entry.users += 1;
		clearTimeout(entry.expiry);
		return entry;
	}

	/** Waits for a turn, or until the same excerpt is created for another call. */
	async #takeTurn<T>(
		caller: Caller,
		key: string | symbol,
		call: ExcerptCall,
		create: (signal: AbortSignal) => Promise<Made<T>>,
	): Promise<Entry> {
		const { kind, maxBytes, signal } = call;
		const taker = turnTakerOf(caller);
		const waiting = new AbortController();
		const leave = () => waiting.abort(signal.reason);
		const join = () => waiting.abort();
		const others = this.#waiting.get(key) ?? new Set();
		this.#waiting.set(key, others.add(join));
		signal.addEventListener("abort", leave, { once: true });
		if (signal.aborted) leave();
		let end: (() => void) | null = null;
		try {
			end = await this.#turns[kind].take(taker, waiting.signal);
			const known = this.#join(key);
			if (known !== null) return known;
			const entry = this.#begin(key, { taker, maxBytes, create, end });
			end = null;
			return entry;
		} catch (error) {
			if (!waiting.signal.aborted) throw error;
			signal.throwIfAborted();
			return this.#join(key) ?? (await this.#takeTurn(caller, key, call, create));
		} finally {
			signal.removeEventListener("abort", leave);
			others.delete(join);
			if (others.size === 0) this.#waiting.delete(key);
			end?.();
		}
	}

	#begin<T>(
		key: string | symbol,
		turn: {
			taker: TurnTaker;
			maxBytes: number;
			create: (signal: AbortSignal) => Promise<Made<T>>;
			end: () => void;
		},
	): Entry {
		this.#reserve(turn.taker, turn.maxBytes);
		const stop = new AbortController();
		const made = this.#inTime(stop, turn.create);
		const entry: Entry = {
			taker: turn.taker,
			bytes: turn.maxBytes,
			users: 1,
			value: undefined,
			stop,
			expiry: undefined,
			isMade: false,
			discard: async () => undefined,
			made: made
				.then(async ({ value, bytes, discard }) => {
					if (stop.signal.aborted) {
						await discard?.();
						throw stop.signal.reason;
					}
					Object.assign(entry, { value, bytes, isMade: true, discard: discard ?? entry.discard });
				})
				.catch((error) => {
					this.#forget(key, entry);
					throw error;
				})
				.finally(turn.end),
		};
		entry.made.catch(() => undefined);
		this.#entries.set(key, entry);
		for (const join of this.#waiting.get(key) ?? []) join();
		return entry;
	}

	/** Nobody uses it at the moment. */
	#rest(key: string | symbol, entry: Entry): void {
		if (this.#entries.get(key) !== entry) return;
		if (!entry.isMade) {
			this.#forget(key, entry);
			entry.stop.abort(new Error("Nobody waits for it any more."));
		} else if (typeof key === "symbol") this.#discard(key, entry);
		else {
			this.#entries.delete(key);
			this.#entries.set(key, entry);
			entry.expiry = setTimeout(() => this.#discard(key, entry), this.#times.keepMs).unref();
		}
	}

	#discard(key: string | symbol, entry: Entry): void {
		clearTimeout(entry.expiry);
		this.#forget(key, entry);
		entry.discard().catch(() => undefined);
	}

	#forget(key: string | symbol, entry: Entry): void {
		if (this.#entries.get(key) === entry) this.#entries.delete(key);
	}

	/** Makes space. @throws unavailable if too much is in use. */
	#reserve({ organizationId, caller }: TurnTaker, bytes: number): void {
		const used = { caller: bytes, organization: bytes };
		let all = bytes;
		for (const { taker, users, bytes } of this.#entries.values()) {
			all += bytes;
			if (users === 0 || taker.organizationId !== organizationId) continue;
			used.organization += bytes;
			if (taker.caller === caller) used.caller += bytes;
		}
		if (used.caller > MAX_USED_BYTES.caller || used.organization > MAX_USED_BYTES.organization) throw noSpace();
		for (const [key, entry] of this.#entries) {
			if (all <= MAX_BYTES && this.#entries.size < MAX_KEPT) return;
			if (entry.users > 0 || !entry.isMade) continue;
			all -= entry.bytes;
			this.#discard(key, entry);
		}
		if (all > MAX_BYTES || this.#entries.size >= MAX_KEPT) throw noSpace();
	}

	async #inTime<T>(stop: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const { workMs } = this.#times;
		const timer = setTimeout(() => stop.abort(tooSlow(workMs)), workMs);
		try {
			return await work(stop.signal);
		} finally {
			clearTimeout(timer);
		}
	}
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
	const aborted = Promise.withResolvers<never>();
	const leave = () => aborted.reject(signal.reason);
	if (signal.aborted) leave();
	signal.addEventListener("abort", leave, { once: true });
	try {
		await Promise.race([promise, aborted.promise]);
	} finally {
		signal.removeEventListener("abort", leave);
	}
}

const tooManyWaiting = (): TapedeckError =>
	new TapedeckError(
		"too_many_requests",
		`${MAX_WAITING} of your calls for clips, frames and digests are waiting. Try again when some of them are answered.`,
		{ headers: { "retry-after": "5" } },
	);

const tooLate = (waitMs: number): TapedeckError =>
	new TapedeckError(
		"unavailable",
		`Too many clips, frames and digests are being created: this one had no turn within ${waitMs / 1_000} seconds. Try again when others are answered.`,
		{ headers: { "retry-after": "10" } },
	);

const tooSlow = (workMs: number): TapedeckError =>
	new TapedeckError(
		"unavailable",
		`The dashboard could not create this within ${workMs / 1_000} seconds. Ask for a shorter stretch or a smaller size, or try again when the machine has less to do.`,
		{ headers: { "retry-after": "30" } },
	);

const noSpace = (): TapedeckError =>
	new TapedeckError(
		"unavailable",
		"Clips and frames that are being downloaded use all the space for them. Try again when they have arrived.",
		{ headers: { "retry-after": "10" } },
	);
