/**
 * The part of a track that was read so far: lines around a moment. It grows at both ends as the user scrolls or the
 * video plays, so that a track of 100,000 lines opens as fast as one of 100.
 */
import type { Page } from "@tapedeck/contract/page.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import type { LineQuery } from "#lib/client/tracks.ts";

/** The position at which reading starts: a second of the video, or an end of the track. */
export type Anchor = number | "start" | "end";

export interface WindowState {
	status: "loading" | "ready" | "failed";
	/** The lines in order of time. */
	lines: readonly TrackLine[];
	/** Whether there are lines before the first one, and after the last one. */
	hasBefore: boolean;
	hasAfter: boolean;
	error: unknown;
}

type Read = (query: LineQuery, signal: AbortSignal) => Promise<Page<TrackLine>>;

const EMPTY: readonly TrackLine[] = [];
/** Times are whole milliseconds. */
const MS = 0.001;

export class TrackWindow {
	readonly #read: Read;
	readonly #anchor: Anchor;
	readonly #limit: number;
	readonly #listeners = new Set<() => void>();
	#state: WindowState = { status: "loading", lines: EMPTY, hasBefore: false, hasAfter: false, error: null };
	/** Queries for the lines before and after; null if there are none. */
	#before: LineQuery | null = null;
	#after: LineQuery | null = null;
	#busy = false;
	/** The track got lines while something was read. */
	#hasGrown = false;
	#over = new AbortController();

	/** @param limit of a page. Nothing is read before `open`. */
	constructor(read: Read, anchor: Anchor, limit: number) {
		this.#read = read;
		this.#anchor = anchor;
		this.#limit = limit;
	}

	readonly getState = (): WindowState => this.#state;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Reads the lines at the anchor, or repeats a failed read. */
	readonly open = (): void => {
		if (this.#over.signal.aborted) this.#over = new AbortController();
		if (this.#state.status === "ready") return;
		this.#state = { ...this.#state, status: "loading", lines: EMPTY };
		const at = this.#anchor;
		this.#after = at === "end" ? null : { order: "asc", from: at === "start" ? undefined : ms(at) };
		this.#before = at === "start" ? null : { order: "desc", to: at === "end" ? undefined : ms(at - MS) };
		this.#run(async () => {
			await Promise.all([this.#readAfter(), this.#readBefore()]);
		});
	};

	close(): void {
		this.#over.abort();
		this.#busy = false;
	}

	readonly loadBefore = (): void => {
		if (this.#before !== null) this.#run(() => this.#readBefore());
	};

	readonly loadAfter = (): void => {
		if (this.#after !== null) this.#run(() => this.#readAfter());
	};

	/** The track has more lines than before: those after the last one are read, if that one is shown. */
	readonly grow = (): void => {
		if (this.#busy) {
			this.#hasGrown = true;
			return;
		}
		if (this.#state.status !== "ready" || this.#after !== null) return;
		const last = this.#state.lines.at(-1);
		this.#after = { order: "asc", from: last?.offsetSeconds ?? undefined };
		this.#run(() => this.#readAfter());
	};

	/** Runs one read at a time. A page that arrives after `close` is dropped. */
	#run(step: () => Promise<void>): void {
		if (this.#busy) return;
		this.#busy = true;
		const { signal } = this.#over;
		const done = (change: Partial<WindowState>) => {
			if (signal.aborted) return;
			this.#busy = false;
			this.#set({ ...change, hasBefore: this.#before !== null, hasAfter: this.#after !== null });
			if (!this.#hasGrown || change.status === "failed") return;
			this.#hasGrown = false;
			this.grow();
		};
		step().then(
			() => done({ status: "ready", error: null }),
			(error: unknown) => done({ status: "failed", error }),
		);
	}

	async #readAfter(): Promise<void> {
		const query = this.#after;
		if (query === null) return;
		const { signal } = this.#over;
		const { data, nextCursor } = await this.#read({ ...query, limit: this.#limit }, signal);
		if (signal.aborted) return;
		this.#after = nextCursor === null ? null : { ...query, cursor: nextCursor };
		const known = linesAtEnd(this.#state.lines);
		const added = data.filter(({ line }) => !known.has(line));
		if (added.length > 0) this.#state = { ...this.#state, lines: [...this.#state.lines, ...added] };
	}

	async #readBefore(): Promise<void> {
		const query = this.#before;
		if (query === null) return;
		const { signal } = this.#over;
		const { data, nextCursor } = await this.#read({ ...query, limit: this.#limit }, signal);
		if (signal.aborted) return;
		this.#before = nextCursor === null ? null : { ...query, cursor: nextCursor };
		if (data.length > 0) this.#state = { ...this.#state, lines: [...data.toReversed(), ...this.#state.lines] };
	}

	#set(change: Partial<WindowState>): void {
		this.#state = { ...this.#state, ...change };
		for (const listener of this.#listeners) listener();
	}
}

/** The numbers of the lines that have the time of the last one: a track that has grown is read from that time on. */
function linesAtEnd(lines: readonly TrackLine[]): ReadonlySet<number> {
	const time = lines.at(-1)?.offsetSeconds;
	const first = lines.findLastIndex(({ offsetSeconds }) => offsetSeconds !== time) + 1;
	return new Set(lines.slice(first).map(({ line }) => line));
}

/** Rounds seconds as the API takes them. */
const ms = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The last line at or before a second, by a binary search; -1 if there is none. */
export function lineAt(lines: readonly Pick<TrackLine, "offsetSeconds">[], seconds: number): number {
	let low = 0;
	let high = lines.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((lines[middle]?.offsetSeconds ?? 0) <= seconds + MS) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}
