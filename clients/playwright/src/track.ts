/** A track of the recording that this run writes: its lines are sent in the background, in the order of the calls. */
import { setTimeout as pause } from "node:timers/promises";
import type { ReportedLine, Tapedeck, TapedeckError } from "@tapedeck/client";

/** Lines that arrive within this time are sent in one call. */
const GATHERED_MS = 1_000;
const MAX_LINES = 2_000;
/** While the dashboard is away. Later ones are left out. */
const MAX_WAITING = 50_000;
const RETRY_MS = 1_000;

export class Track {
	readonly name: string;
	readonly #client: Tapedeck;
	readonly #jobId: number;
	readonly #signal: AbortSignal;
	#lines: ReportedLine[] = [];
	/** Bytes that the dashboard has; null before the first call. */
	#received: number | null = null;
	#sending: Promise<void> | null = null;
	#isRefused = false;
	#lost = 0;

	/**
	 * @param name begins with the track's kind. A track has one sender: the runner of `tapedeck run` writes the track `log`.
	 * @param signal when it is aborted, nothing more is sent.
	 */
	constructor(client: Tapedeck, jobId: number, name: string, signal: AbortSignal) {
		this.name = name;
		this.#client = client;
		this.#jobId = jobId;
		this.#signal = signal;
	}

	/**
	 * Adds a line, without secrets.
	 * @param line.at a moment of this machine's clock.
	 */
	add({ at, ...line }: ReportedLine & { at: Date }): void {
		if (this.#isRefused || this.#lines.length >= MAX_WAITING) {
			this.#lost += 1;
			return;
		}
		// The time is text, so that a line that is sent again is the same.
		this.#lines.push({ ...line, at: this.#client.dashboardTime(at).toISOString() });
		this.#sending ??= this.#pause(GATHERED_MS)
			.then(() => this.#sendAll())
			.finally(() => {
				this.#sending = null;
			});
	}

	/** Waits until all is sent. @returns how many lines were not. */
	async finish(): Promise<number> {
		await (this.#sending ?? this.#sendAll());
		if (this.#lines.length > 0 && !this.#isRefused) await this.#sendAll();
		return this.#lost + this.#lines.length;
	}

	async #sendAll(): Promise<void> {
		while (this.#lines.length > 0 && !this.#isRefused && !this.#signal.aborted) {
			const batch = this.#lines.slice(0, MAX_LINES);
			const options = { signal: this.#signal };
			try {
				// Known before anything is sent: then it can be sent again.
				this.#received ??= (await this.#client.jobs.addTrack(this.#jobId, this.name, [], options)).received;
				const from = this.#received;
				const sent = await this.#client.jobs.addTrack(this.#jobId, this.name, batch, { ...options, from });
				this.#received = sent.received;
				this.#lines.splice(0, batch.length);
			} catch (error) {
				const { status = 0 } = error as Partial<TapedeckError>;
				// Otherwise a dashboard without tracks, or a track that is full.
				this.#isRefused = ![0, 429, 502, 503, 504].includes(status);
				if (!this.#isRefused) await this.#pause(RETRY_MS);
			}
		}
	}

	/** Until the time is over, or nothing more is sent. */
	#pause(ms: number): Promise<void> {
		return pause(ms, undefined, { signal: this.#signal, ref: false }).catch(() => {});
	}
}
