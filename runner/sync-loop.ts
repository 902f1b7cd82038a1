/** The one long poll: states the jobs that the runner has, brings those to start and those to cancel. */
import type { ReceivedSyncAnswer, SyncBody } from "#lib/contract/runner-protocol.ts";
import type { Connection } from "./connection.ts";
import { Backoff, pause } from "./base/wait.ts";

/** Short enough that a call on a stalled connection is given up within 10 s of the stall. */
const WAIT_SECONDS = 5;
const PACE_MS = 250;

export class SyncLoop {
	readonly #connection: Connection;
	readonly #account: () => Pick<SyncBody, "jobs" | "takesJobs">;
	readonly #take: (answer: ReceivedSyncAnswer) => Promise<boolean>;
	#held = new AbortController();
	#pokedAt = 0;

	/**
	 * @param account every job that the runner has not finished with, and whether it takes more.
	 * @param take acts on an answer and says whether it was news; it is waited for, and must not reject.
	 */
	constructor(
		connection: Connection,
		account: () => Pick<SyncBody, "jobs" | "takesJobs">,
		take: (answer: ReceivedSyncAnswer) => Promise<boolean>,
	) {
		this.#connection = connection;
		this.#account = account;
		this.#take = take;
	}

	/** Ends the held call, because the list of jobs has grown: a cancel for a job that it does not list cannot come. */
	poke(): void {
		this.#pokedAt = performance.now();
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
				const answer = await this.#connection.client.sync(
					{ sessionId: session, ...this.#account(), waitSeconds: WAIT_SECONDS },
					AbortSignal.any([closed, this.#held.signal]),
				);
				this.#connection.reached();
				backoff.reset();
				// The next call lists what this one brought: else its cancel could not come, and it would be brought again.
				const news = await this.#take(answer);
				// One that was removed only has to be heard of while it delivers what it has.
				if (answer.removed) await pause(WAIT_SECONDS * 1_000, closed);
				// An answer that came at once and brought nothing would come at once again.
				if (!news && performance.now() - startedAt < PACE_MS) await pause(PACE_MS, closed);
			} catch (error) {
				if (closed.aborted) return;
				if (this.#held.signal.aborted && this.#pokedAt >= startedAt) continue;
				this.#connection.judge(error, session);
				await pause(backoff.nextMs(), closed);
			}
		}
	}
}
