/** The long poll: sends the list of the runner's jobs, receives jobs to start and to cancel. */
import type { ReceivedSyncAnswer, SyncBody } from "@tapedeck/contract/runner-protocol.ts";
import { Backoff, pause } from "../base/wait.ts";
import type { Connection } from "./connection.ts";

/** Short enough that a stalled connection is given up within 10 s. */
const WAIT_SECONDS = 5;
const PACE_MS = 250;

type RunnerStatus = Pick<SyncBody, "jobs" | "takesJobs" | "waitingBytes" | "lentDisplays">;

export class LongPoll {
	readonly #connection: Connection;
	readonly #status: () => Promise<RunnerStatus>;
	readonly #apply: (answer: ReceivedSyncAnswer) => Promise<boolean>;
	#held = new AbortController();
	#restartedAt = 0;

	/**
	 * @param status returns every unfinished job, whether the runner accepts more, and the number of bytes it has not
	 *   uploaded yet.
	 * @param apply acts on an answer and returns whether it contained anything new; awaited, and must not reject.
	 */
	constructor(
		connection: Connection,
		status: () => Promise<RunnerStatus>,
		apply: (answer: ReceivedSyncAnswer) => Promise<boolean>,
	) {
		this.#connection = connection;
		this.#status = status;
		this.#apply = apply;
	}

	/** Restarts the held call after a job was added: the dashboard only cancels jobs that a call lists. */
	restart(): void {
		this.#restartedAt = performance.now();
		this.#held.abort();
	}

	/** Runs until closed. @throws FatalError. */
	async run(closed: AbortSignal): Promise<void> {
		const backoff = new Backoff();
		while (!closed.aborted) {
			const session = await this.#connection.session();
			if (closed.aborted) return;
			this.#held = new AbortController();
			const startedAt = performance.now();
			try {
				const status = await this.#status();
				const answer = await this.#connection.client.sync(
					{ sessionId: session, ...status, waitSeconds: WAIT_SECONDS },
					AbortSignal.any([closed, this.#held.signal]),
				);
				this.#connection.reached();
				backoff.reset();
				// Wait, so that the next call lists the new jobs: otherwise the dashboard would send them again and could not cancel them.
				const isNew = await this.#apply(answer);
				// A removed runner only has to keep in touch while it delivers its recordings.
				if (answer.removed) await pause(WAIT_SECONDS * 1_000, closed);
				// Avoid a busy loop when the dashboard answers immediately with nothing new.
				if (!isNew && performance.now() - startedAt < PACE_MS) await pause(PACE_MS, closed);
			} catch (error) {
				if (closed.aborted) return;
				if (this.#held.signal.aborted && this.#restartedAt >= startedAt) continue;
				this.#connection.handleCallError(error, session);
				await pause(backoff.nextMs(), closed);
			}
		}
	}
}
