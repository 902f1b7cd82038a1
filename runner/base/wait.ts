/** Cancellable waiting, and backoff between attempts. */

/** Resolves after `ms`, or at once when the signal is aborted. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal?.aborted) return resolve();
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, Math.max(0, ms));
		signal?.addEventListener("abort", done, { once: true });
	});
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

/** Exponential backoff with jitter, from 0.2 s to `maxMs`. */
export class Backoff {
	#attempts = 0;
	readonly #maxMs: number;

	constructor(maxMs = 4_000) {
		this.#maxMs = maxMs;
	}

	/** The pause before the next attempt, in ms. */
	nextMs(): number {
		const full = Math.min(this.#maxMs, 200 * 2 ** this.#attempts++);
		return full * (0.6 + Math.random() * 0.4);
	}

	reset(): void {
		this.#attempts = 0;
	}
}

/** Wakes a waiting loop. Several rings without a waiting loop count as one. */
export class Bell {
	#rung = false;
	#wake: (() => void) | null = null;

	ring(): void {
		this.#rung = true;
		this.#wake?.();
	}

	/** Resolves at the next ring, at once if it rang since the last wait, or after `ms`. */
	async heard(ms: number, signal?: AbortSignal): Promise<void> {
		if (!this.#rung) {
			const abort = new AbortController();
			this.#wake = () => abort.abort();
			const both = signal ? AbortSignal.any([abort.signal, signal]) : abort.signal;
			await pause(ms, both);
			this.#wake = null;
		}
		this.#rung = false;
	}
}
