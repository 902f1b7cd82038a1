/** Sends the markers of a run in the background: as many in a call as there are, in their order, and none twice. */
import type { CreateJobMarker, Tapedeck, TapedeckError } from "@tapedeck/client";

/** Markers of one call. */
const MAX_BATCH = 500;
/** The dashboard takes 1 MiB; JSON escapes can double a message. */
const MAX_BATCH_CHARACTERS = 400_000;

export class MarkerQueue {
	readonly #client: Tapedeck;
	readonly #jobId: number;
	readonly #signal: AbortSignal;
	#waiting: CreateJobMarker[] = [];
	#sending: Promise<void> | null = null;
	#refused = 0;
	#failure: unknown = null;

	/** @param signal when it is aborted, nothing more is sent. */
	constructor(client: Tapedeck, jobId: number, signal: AbortSignal) {
		this.#client = client;
		this.#jobId = jobId;
		this.#signal = signal;
	}

	add(marker: CreateJobMarker): void {
		this.#waiting.push(marker);
		// What is added in the same moment goes into the same call.
		this.#sending ??= Promise.resolve().then(() => this.#sendAll());
	}

	/** Waits until all are sent. @returns how many were not added, and why if it is not the markers' own fault. */
	async finish(): Promise<{ lost: number; failure: unknown }> {
		await this.#sending;
		return { lost: this.#refused + this.#waiting.length, failure: this.#failure };
	}

	async #sendAll(): Promise<void> {
		let isAgain = false;
		// Halved when the dashboard refuses a call without a word about which marker.
		let most = MAX_BATCH;
		while (this.#waiting.length > 0 && this.#failure === null) {
			let batch = this.#waiting.slice(0, Math.min(most, batchSize(this.#waiting)));
			try {
				if (isAgain) batch = await this.#withoutStored(batch);
				if (batch.length > 0) await this.#client.jobs.addMarkers(this.#jobId, batch, { signal: this.#signal });
				this.#remove(batch);
				isAgain = false;
				most = MAX_BATCH;
			} catch (error) {
				// An abort has neither.
				const { status, errors = [] } = error as Partial<TapedeckError>;
				if (status === 413 || status === 422) {
					// Those that the dashboard refuses say nothing about the others.
					const refused = refusedOf(batch, errors);
					this.#refused += refused.length;
					this.#remove(refused);
					if (refused.length === 0) most = Math.ceil(batch.length / 2);
				} else if (status === 0 && !isAgain) isAgain = true;
				else this.#failure = error;
			}
		}
		this.#sending = null;
	}

	/** The answer to the try before was lost. */
	async #withoutStored(batch: readonly CreateJobMarker[]): Promise<CreateJobMarker[]> {
		const stored = await this.#client.jobs.markers(this.#jobId, {}, { signal: this.#signal }).toArray();
		const added = batch.filter((marker) => stored.some(({ label, at }) => label === marker.label && at === marker.at));
		this.#remove(added);
		return batch.filter((marker) => !added.includes(marker));
	}

	#remove(markers: readonly CreateJobMarker[]): void {
		const gone = new Set(markers);
		this.#waiting = this.#waiting.filter((marker) => !gone.has(marker));
	}
}

/** @returns those that the error names, or the only one; none if it names none. */
function refusedOf(batch: readonly CreateJobMarker[], errors: TapedeckError["errors"]): readonly CreateJobMarker[] {
	const indices = new Set(errors.map(({ path }) => Number(/^markers\.(\d+)\b/.exec(path)?.[1] ?? Number.NaN)));
	const refused = batch.filter((_, index) => indices.has(index));
	return refused.length > 0 || batch.length > 1 ? refused : batch;
}

/** How many of the first go into one call; at least one. */
function batchSize(markers: readonly CreateJobMarker[]): number {
	let characters = 0;
	for (const [index, marker] of markers.slice(0, MAX_BATCH).entries()) {
		characters += JSON.stringify(marker).length;
		if (characters > MAX_BATCH_CHARACTERS) return Math.max(1, index);
	}
	return MAX_BATCH;
}
