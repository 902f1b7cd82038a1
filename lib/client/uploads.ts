/**
 * The videos that are being brought in: a queue of its own beside the pages, so that it goes on from one to the next.
 * How bytes get to the server is the transport's affair; it comes with the first file.
 */
import type { VideoType } from "../contract/recording.ts";

/** How many are sent at once; more would only share the line. */
const AT_ONCE = 2;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** The speed is that of the last seconds. */
const SPEED_MS = 6_000;

/**
 * `waiting` for its turn; `checking`: everything is sent, the server looks at it; `retrying`: it broke off and goes on
 * by itself.
 */
export type UploadState = "waiting" | "sending" | "checking" | "paused" | "retrying" | "done" | "failed";

/** An upload as it is shown. Immutable. */
export interface Upload {
	id: number;
	name: string;
	bytes: number;
	sentBytes: number;
	state: UploadState;
	/** Why it broke off or failed. */
	problem: string | null;
	/** Null while it is not known. */
	bytesPerSecond: number | null;
	/** The recording that it became. */
	recordingId: number | null;
}

export interface TransportEvents {
	onProgress(sentBytes: number): void;
	onDone(recordingId: number | null): void;
	/** @param retry whether it may go on later */
	onBroken(words: string, retry: boolean): void;
}

/** Brings one file to the server, from where it stopped. */
export interface Transport {
	start(): void;
	stop(): Promise<void>;
	/** Stops, and takes away from the server what it has. */
	remove(): Promise<void>;
}

/** @param owner tells apart whose uploads go on after a reload of the page */
export type OpenTransport = (
	file: File,
	options: { type: VideoType; owner: string },
	events: TransportEvents,
) => Promise<Transport>;

interface Item {
	view: Upload;
	file: File;
	open(events: TransportEvents): Promise<Transport>;
	transport: Transport | null;
	retries: number;
	retry: ReturnType<typeof setTimeout> | undefined;
	samples: { at: number; sentBytes: number }[];
}

const isActive = ({ state }: Upload): boolean => state === "sending" || state === "checking" || state === "retrying";
/** Whether leaving the page would break it off. */
export const isUnfinished = (upload: Upload): boolean =>
	isActive(upload) || upload.state === "waiting" || upload.state === "paused";

export class Uploads {
	readonly #open: OpenTransport;
	readonly #items = new Map<number, Item>();
	readonly #listeners = new Set<() => void>();
	#shown: readonly Upload[] = [];
	#lastId = 0;

	constructor(open: OpenTransport) {
		this.#open = open;
	}

	subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** In the order in which they were added; the same array for as long as nothing changes. */
	list = (): readonly Upload[] => this.#shown;

	/** Adds a file that is a video. One that is on its way already is not sent twice; paused, it goes on. */
	add(file: File, options: { type: VideoType; owner: string }): void {
		const twin = [...this.#items.values()].find((item) => isUnfinished(item.view) && isSame(item.file, file));
		if (twin !== undefined) {
			this.resume(twin.view.id);
			return;
		}
		this.#lastId += 1;
		const id = this.#lastId;
		this.#items.set(id, {
			view: {
				id,
				name: file.name,
				bytes: file.size,
				sentBytes: 0,
				state: "waiting",
				problem: null,
				bytesPerSecond: null,
				recordingId: null,
			},
			file,
			open: (events) => this.#open(file, options, events),
			transport: null,
			retries: 0,
			retry: undefined,
			samples: [],
		});
		this.#next();
	}

	pause(id: number): void {
		const item = this.#items.get(id);
		if (item === undefined || !isUnfinished(item.view) || item.view.state === "checking") return;
		this.#halt(item, "paused");
		this.#next();
	}

	/** Goes on with what is paused, has failed, or waits to be tried again. */
	resume(id: number): void {
		const item = this.#items.get(id);
		if (item === undefined || !["paused", "failed", "retrying"].includes(item.view.state)) return;
		clearTimeout(item.retry);
		item.retries = 0;
		this.#show(item, { state: "waiting", problem: null });
		this.#next();
	}

	/** Tries again at once what waits to be tried again: the connection is back. */
	hurry(): void {
		for (const { view } of [...this.#items.values()]) if (view.state === "retrying") this.resume(view.id);
	}

	/** Takes an upload out of the list, and what the server has of it away. @throws when the server cannot be told */
	async cancel(id: number): Promise<void> {
		const item = this.#items.get(id);
		if (item === undefined) return;
		clearTimeout(item.retry);
		this.#items.delete(id);
		this.#publish();
		this.#next();
		if (item.view.state !== "done") await item.transport?.remove();
	}

	/** Takes what has ended out of the list. */
	clear(): void {
		for (const [id, { view }] of this.#items) if (!isUnfinished(view)) this.#items.delete(id);
		this.#publish();
	}

	/** Starts those whose turn it is. */
	#next(): void {
		const items = [...this.#items.values()];
		let free = AT_ONCE - items.filter(({ view }) => isActive(view)).length;
		for (const item of items) {
			if (free <= 0) break;
			if (item.view.state !== "waiting") continue;
			free -= 1;
			this.#send(item).catch((error: unknown) => this.#broke(item, String(error), true));
		}
		this.#publish();
	}

	async #send(item: Item): Promise<void> {
		item.samples = [];
		this.#show(item, { state: "sending", bytesPerSecond: null });
		item.transport ??= await item.open({
			onProgress: (sentBytes) => this.#progressed(item, sentBytes),
			onDone: (recordingId) => {
				this.#show(item, { state: "done", problem: null, sentBytes: item.view.bytes, recordingId });
				this.#next();
			},
			onBroken: (words, retry) => this.#broke(item, words, retry),
		});
		// It may have been paused or taken away while the transport was fetched.
		if (this.#items.get(item.view.id) === item && item.view.state === "sending") item.transport.start();
	}

	#progressed(item: Item, sentBytes: number): void {
		if (item.view.state !== "sending" && item.view.state !== "checking") return;
		const now = performance.now();
		if (sentBytes > item.view.sentBytes) item.retries = 0;
		item.samples = [...item.samples.filter(({ at }) => now - at < SPEED_MS), { at: now, sentBytes }];
		const [first] = item.samples;
		const seconds = first === undefined ? 0 : (now - first.at) / 1000;
		this.#show(item, {
			sentBytes,
			state: sentBytes >= item.view.bytes ? "checking" : "sending",
			problem: null,
			bytesPerSecond: first === undefined || seconds < 0.5 ? null : (sentBytes - first.sentBytes) / seconds,
		});
	}

	#broke(item: Item, words: string, retry: boolean): void {
		if (!isActive(item.view)) return;
		this.#show(item, { state: retry ? "retrying" : "failed", problem: words, bytesPerSecond: null });
		if (retry) {
			const wait = Math.min(FIRST_RETRY_MS * 2 ** item.retries, LONGEST_RETRY_MS);
			item.retries += 1;
			item.retry = setTimeout(() => {
				if (item.view.state !== "retrying") return;
				this.#send(item).catch((error: unknown) => this.#broke(item, String(error), true));
			}, wait);
		}
		this.#next();
	}

	#halt(item: Item, state: "paused"): void {
		clearTimeout(item.retry);
		this.#show(item, { state, problem: null, bytesPerSecond: null });
		void item.transport?.stop();
	}

	#show(item: Item, change: Partial<Upload>): void {
		item.view = { ...item.view, ...change };
		this.#publish();
	}

	#publish(): void {
		this.#shown = [...this.#items.values()].map(({ view }) => view);
		for (const listener of this.#listeners) listener();
	}
}

const isSame = (one: File, other: File): boolean =>
	one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
