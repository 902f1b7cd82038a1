/** What tests print as a track of the recording: sent in the background, and without secrets. */
import type { ReportedLine, SecretMask, Tapedeck, TapedeckError } from "@tapedeck/client";

/** A track has one sender: the runner of `tapedeck run` writes the track `log`. */
const NAME = "log.playwright";
/** What is printed within this time goes into one call. */
const GATHERED_MS = 1_000;
const MAX_LINES = 2_000;
/** While the dashboard is away. Later ones are left out. */
const MAX_WAITING = 50_000;
const RETRY_MS = 1_000;

type Level = "info" | "error";

export class LogTrack {
	readonly #client: Tapedeck;
	readonly #jobId: number;
	readonly #signal: AbortSignal;
	readonly #mask: SecretMask;
	#lines: ReportedLine[] = [];
	/** What was printed without a line end. */
	readonly #rest = new Map<Level, string>();
	/** How much the dashboard has; null before the first call. */
	#received: number | null = null;
	#sending: Promise<void> | null = null;
	#isEnding = false;
	#isRefused = false;
	#lost = 0;

	/** @param signal when it is aborted, nothing more is sent. */
	constructor(client: Tapedeck, jobId: number, mask: SecretMask, signal: AbortSignal) {
		this.#client = client;
		this.#mask = mask;
		this.#jobId = jobId;
		this.#signal = signal;
	}

	/** Adds what a test has printed just now. */
	add(chunk: string | Buffer, level: Level): void {
		const text = (this.#rest.get(level) ?? "") + chunk.toString();
		const lines = text.split("\n");
		this.#rest.set(level, lines.pop() ?? "");
		for (const line of lines) this.#addLine(line, level);
	}

	/** Waits until all is sent. @returns how many lines were not. */
	async finish(): Promise<number> {
		for (const [level, rest] of this.#rest) if (rest !== "") this.#addLine(rest, level);
		this.#rest.clear();
		this.#isEnding = true;
		await (this.#sending ?? this.#sendAll());
		if (this.#lines.length > 0 && !this.#isRefused) await this.#sendAll();
		return this.#lost + this.#lines.length;
	}

	#addLine(text: string, level: Level): void {
		if (this.#isRefused || this.#lines.length >= MAX_WAITING) {
			this.#lost += 1;
			return;
		}
		// As text, so that a line that is sent again is the same.
		const at = this.#client.dashboardTime(new Date()).toISOString();
		this.#lines.push({ at, text: this.#mask.apply(text), level });
		this.#sending ??= this.#pause(GATHERED_MS)
			.then(() => this.#sendAll())
			.finally(() => {
				this.#sending = null;
			});
	}

	async #sendAll(): Promise<void> {
		while (this.#lines.length > 0 && !this.#isRefused && !this.#signal.aborted) {
			const batch = this.#lines.slice(0, MAX_LINES);
			const options = { signal: this.#signal };
			try {
				// Known before anything is sent: then it can be sent again.
				this.#received ??= (await this.#client.jobs.addTrack(this.#jobId, NAME, [], options)).received;
				const sent = await this.#client.jobs.addTrack(this.#jobId, NAME, batch, { ...options, from: this.#received });
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

	/** Not at the end, and not beyond it. */
	#pause(ms: number): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, this.#isEnding ? Math.min(ms, RETRY_MS) : ms);
			timer.unref();
			this.#signal.addEventListener("abort", () => resolve(), { once: true });
		});
	}
}
