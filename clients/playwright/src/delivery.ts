/** Sends the results and markers of a run in the background: as many in a call as there are. */
import { setTimeout as pause } from "node:timers/promises";
import type { CallOptions, CreateJobMarker, Marker, ReportedTest, TapedeckError, TestResult } from "@tapedeck/client";

/** Markers and results of one call. */
const MAX_MARKERS = 500;
const MAX_RESULTS = 1_000;
/** The dashboard takes 1 MiB; JSON escapes can double a message. */
const MAX_BATCH_CHARACTERS = 400_000;
/** The least time between two calls, so that a run of many short tests is few calls. The first is sent at once. */
const GATHERED_MS = 500;

/** The job or the test run that has the results. */
export interface ResultOwner {
	addTests(results: readonly ReportedTest[], options: CallOptions): Promise<(StoredResult & { key: string })[]>;
	/** Null for a test run, which has no markers. */
	markers: {
		add(markers: readonly CreateJobMarker[], options: CallOptions): Promise<unknown>;
		list(options: CallOptions): Promise<Pick<Marker, "label" | "at">[]>;
	} | null;
}

/** A result that the dashboard has stored. */
export type StoredResult = Pick<TestResult, "id" | "testId">;

export class Delivery {
	readonly #owner: ResultOwner;
	readonly #signal: AbortSignal;
	#markers: CreateJobMarker[] = [];
	/** Results to send, by their keys: a test that has ended while its beginning waits is sent once. */
	readonly #results = new Map<string, ReportedTest>();
	/** The results that the dashboard has, by their keys. */
	readonly #stored = new Map<string, StoredResult>();
	#sending: Promise<void> | null = null;
	/** Aborted when the run has ended: then nothing is gathered. */
	readonly #hurry = new AbortController();
	/** Called when a call has ended. */
	#listeners: (() => void)[] = [];
	#refusedMarkers = 0;
	#refusedResults = 0;
	#failure: unknown = null;

	/** @param signal when it is aborted, nothing more is sent. */
	constructor(owner: ResultOwner, signal: AbortSignal) {
		this.#owner = owner;
		this.#signal = signal;
	}

	/** Does nothing for results whose owner has no markers. */
	mark(marker: CreateJobMarker): void {
		if (this.#owner.markers === null) return;
		this.#markers.push(marker);
		this.#start();
	}

	/** Takes the place of an earlier result of this key. */
	report(result: ReportedTest): void {
		this.#results.set(result.key, result);
		this.#start();
	}

	/** A result, for a link to it; undefined while the dashboard has not stored it. */
	stored(key: string): StoredResult | undefined {
		return this.#stored.get(key);
	}

	/** Waits until a result is stored as it was reported last. @returns null if it will not be. */
	async whenStored(key: string): Promise<StoredResult | null> {
		while (this.#results.has(key) && this.#failure === null) {
			await new Promise<void>((resolve) => this.#listeners.push(resolve));
		}
		return this.#stored.get(key) ?? null;
	}

	/** Waits until all is sent. @returns what was not, such as "2 markers", and why if it is not its own fault. */
	async finish(): Promise<{ lost: string; failure: unknown }> {
		this.#hurry.abort();
		await this.#sending;
		const counts = [
			[this.#results.size + this.#refusedResults, "test result"],
			[this.#markers.length + this.#refusedMarkers, "marker"],
		] as const;
		const lost = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`]));
		return { lost: lost.join(" and "), failure: this.#failure };
	}

	#start(): void {
		// Entries that are added in the same moment are sent in one call.
		this.#sending ??= Promise.resolve().then(() => this.#sendAll());
	}

	async #sendAll(): Promise<void> {
		while ((this.#markers.length > 0 || this.#results.size > 0) && this.#failure === null) {
			if (this.#markers.length > 0) await this.#sendMarkers();
			else await this.#sendResults();
			for (const listener of this.#listeners.splice(0)) listener();
			await pause(GATHERED_MS, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => undefined);
		}
		this.#sending = null;
	}

	async #sendMarkers(): Promise<void> {
		let isAgain = false;
		// Halved when the dashboard refuses a call without a word about which marker.
		let most = MAX_MARKERS;
		while (this.#markers.length > 0 && this.#failure === null) {
			let batch = this.#markers.slice(0, Math.min(most, batchSize(this.#markers)));
			try {
				if (isAgain) batch = await this.#withoutStored(batch);
				if (batch.length > 0) await this.#owner.markers?.add(batch, { signal: this.#signal });
				this.#removeMarkers(batch);
				isAgain = false;
				most = MAX_MARKERS;
			} catch (error) {
				const refused = this.#refusedOf(batch, error);
				if (refused !== null) {
					this.#refusedMarkers += refused.length;
					this.#removeMarkers(refused);
					if (refused.length === 0) most = Math.ceil(batch.length / 2);
				} else if ((error as Partial<TapedeckError>).status === 0 && !isAgain) isAgain = true;
				else this.#failure = error;
			}
		}
	}

	/** They have keys, so that the client sends them again if it has to. */
	async #sendResults(): Promise<void> {
		let most = MAX_RESULTS;
		while (this.#results.size > 0 && this.#markers.length === 0 && this.#failure === null) {
			const batch = [...this.#results.values()].slice(0, most);
			try {
				const stored = await this.#owner.addTests(batch, { signal: this.#signal });
				for (const { key, id, testId } of stored) this.#stored.set(key, { id, testId });
				this.#removeResults(batch);
				most = MAX_RESULTS;
			} catch (error) {
				// The client may have sent several calls, and an error names the places of one.
				const refused = this.#refusedOf(batch, batch.length > 1 ? { ...(error as object), errors: [] } : error);
				if (refused === null) this.#failure = error;
				else if (refused.length === 0) most = Math.ceil(batch.length / 2);
				else {
					this.#refusedResults += refused.length;
					this.#removeResults(refused);
				}
			}
		}
	}

	/**
	 * A refused entry says nothing about the others.
	 * @returns those that the error names, or the only one; none if it names none; null for an error of another kind.
	 */
	#refusedOf<T>(batch: readonly T[], error: unknown): readonly T[] | null {
		// An abort has neither.
		const { status, errors = [] } = error as Partial<TapedeckError>;
		if (status !== 413 && status !== 422) return null;
		const places = new Set(errors.map(({ path }) => Number(/^markers\.(\d+)\b/.exec(path)?.[1] ?? Number.NaN)));
		const refused = batch.filter((_, index) => places.has(index));
		return refused.length > 0 || batch.length > 1 ? refused : batch;
	}

	/** The answer to the try before was lost. */
	async #withoutStored(batch: readonly CreateJobMarker[]): Promise<CreateJobMarker[]> {
		const stored = (await this.#owner.markers?.list({ signal: this.#signal })) ?? [];
		const added = batch.filter((marker) => stored.some(({ label, at }) => label === marker.label && at === marker.at));
		this.#removeMarkers(added);
		return batch.filter((marker) => !added.includes(marker));
	}

	#removeMarkers(markers: readonly CreateJobMarker[]): void {
		const gone = new Set(markers);
		this.#markers = this.#markers.filter((marker) => !gone.has(marker));
	}

	#removeResults(results: readonly ReportedTest[]): void {
		// It may have ended meanwhile.
		for (const result of results) if (this.#results.get(result.key) === result) this.#results.delete(result.key);
	}
}

/** Number of the first entries that fit into one call; at least one. */
function batchSize(markers: readonly CreateJobMarker[]): number {
	let characters = 0;
	for (const [index, marker] of markers.slice(0, MAX_MARKERS).entries()) {
		characters += JSON.stringify(marker).length;
		if (characters > MAX_BATCH_CHARACTERS) return Math.max(1, index);
	}
	return MAX_MARKERS;
}
