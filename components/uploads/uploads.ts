/**
 * The upload queue. It lives outside of the pages, so that uploads continue from one page to the next. Sending bytes to
 * the server is up to the transport, which loads with the first file.
 */

import type { FileType } from "@tapedeck/contract/file-types.ts";
import type { Labels } from "@tapedeck/contract/labels.ts";
import type { Keep, Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { counted } from "#lib/client/format.ts";

/** Number of parallel uploads; more would only share the bandwidth. */
const MAX_PARALLEL = 2;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The speed is measured over this long. */
const SPEED_MS = 6_000;

/**
 * `waiting`: queued. `checking`: everything is sent, and the server validates it. `retrying`: interrupted, and retried
 * automatically.
 */
export type UploadState = "waiting" | "sending" | "checking" | "paused" | "retrying" | "done" | "failed";

/** An upload as the page shows it. Immutable. */
export interface Upload {
	id: number;
	name: string;
	bytes: number;
	sentBytes: number;
	state: UploadState;
	/** Why it was interrupted or failed. */
	problem: string | null;
	/** Null while unknown. */
	bytesPerSecond: number | null;
	/** Set when the upload is complete. */
	recordingId: number | null;
}

export interface TransportEvents {
	onProgress(sentBytes: number): void;
	onDone(recordingId: number | null): void;
	/** @param retry whether it can be resumed later. */
	onError(message: string, retry: boolean): void;
}

/** Sends one file to the server, from where it stopped. */
export interface Transport {
	start(): void;
	stop(): Promise<void>;
	/** Stops, and deletes the partial upload on the server. */
	remove(): Promise<void>;
}

/** Labels, outcome and keep policy of a file; null for the organization's default. */
export interface UploadKeeping {
	labels: Labels;
	outcome: Outcome | null;
	keep: Keep | null;
}

/** @property owner whose upload it is: after a reload, only the same user resumes it. */
export interface UploadOptions extends FileType {
	owner: string;
	keeping: UploadKeeping;
}

export type OpenTransport = (file: File, options: UploadOptions, events: TransportEvents) => Promise<Transport>;

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
/** Whether leaving the page would interrupt it. */
export const isUnfinished = (upload: Upload): boolean =>
	isActive(upload) || upload.state === "waiting" || upload.state === "paused";

/** Number of running uploads; once there are none, the number of complete and of failed ones. */
export function uploadsSummary(list: readonly Upload[]): string {
	const unfinished = list.filter(isUnfinished).length;
	if (unfinished > 0) return `Uploading ${counted(unfinished, "file", "files")}`;
	const failed = list.filter(({ state }) => state === "failed").length;
	const complete = list.length - failed;
	if (complete === 0) return `${counted(failed, "upload", "uploads")} failed`;
	return `${counted(complete, "upload", "uploads")} complete${failed > 0 ? `, ${failed} failed` : ""}`;
}

export class UploadQueue {
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

	/** In the order they were added; the same array until something changes. */
	list = (): readonly Upload[] => this.#shown;

	/** Adds a file. One that is already being sent is not sent twice; a paused one resumes. */
	add(file: File, options: UploadOptions): void {
		const existing = [...this.#items.values()].find((item) => isUnfinished(item.view) && isSame(item.file, file));
		if (existing !== undefined) {
			this.resume(existing.view.id);
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
		this.#startNext();
	}

	pause(id: number): void {
		const item = this.#items.get(id);
		if (item === undefined || !isUnfinished(item.view) || item.view.state === "checking") return;
		this.#halt(item, "paused");
		this.#startNext();
	}

	/** Resumes an upload that is paused, has failed, or waits for its retry. */
	resume(id: number): void {
		const item = this.#items.get(id);
		if (item === undefined || !["paused", "failed", "retrying"].includes(item.view.state)) return;
		clearTimeout(item.retry);
		item.retries = 0;
		this.#show(item, { state: "waiting", problem: null });
		this.#startNext();
	}

	/** Retries now instead of after the backoff, because the connection is back. */
	retryNow(): void {
		for (const { view } of [...this.#items.values()]) if (view.state === "retrying") this.resume(view.id);
	}

	/** Removes an upload from the list, and its partial file from the server. @throws when the server can't be reached. */
	async cancel(id: number): Promise<void> {
		const item = this.#items.get(id);
		if (item === undefined) return;
		clearTimeout(item.retry);
		this.#items.delete(id);
		this.#publish();
		this.#startNext();
		if (item.view.state !== "done") await item.transport?.remove();
	}

	/** Removes finished and failed uploads from the list. */
	clear(): void {
		for (const [id, { view }] of this.#items) if (!isUnfinished(view)) this.#items.delete(id);
		this.#publish();
	}

	/** Starts queued uploads, as many as may run. */
	#startNext(): void {
		const items = [...this.#items.values()];
		let free = MAX_PARALLEL - items.filter(({ view }) => isActive(view)).length;
		for (const item of items) {
			if (free <= 0) break;
			if (item.view.state !== "waiting") continue;
			free -= 1;
			this.#send(item).catch((error: unknown) => this.#failed(item, String(error), true));
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
				this.#startNext();
			},
			onError: (message, retry) => this.#failed(item, message, retry),
		});
		// It may have been paused or cancelled while the transport loaded.
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

	#failed(item: Item, message: string, retry: boolean): void {
		if (!isActive(item.view)) return;
		this.#show(item, { state: retry ? "retrying" : "failed", problem: message, bytesPerSecond: null });
		if (retry) {
			const wait = Math.min(FIRST_RETRY_MS * 2 ** item.retries, MAX_RETRY_MS);
			item.retries += 1;
			item.retry = setTimeout(() => {
				if (item.view.state !== "retrying") return;
				this.#send(item).catch((error: unknown) => this.#failed(item, String(error), true));
			}, wait);
		}
		this.#startNext();
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
