/** Turns of what is made of videos on request: clips, frames in full size and digests, each of which may take a while. */
import { type Actor, turnTakerOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { FairTurns } from "#lib/db/fair-turns.ts";

/** The processor is also there for those who play and record. */
const AT_A_TIME = 2;
const MAX_WAITING = 50;

/** Two are made at a time; organizations take turns, and in each of them its callers. One per process. */
export class ExcerptQueue {
	readonly #turns = new FairTurns(
		{ all: AT_A_TIME, organization: AT_A_TIME, caller: AT_A_TIME, waiting: MAX_WAITING },
		() =>
			new TapedeckError(
				"too_many_requests",
				`${MAX_WAITING} of your calls for clips, frames and digests are waiting. Try again when some of them are answered.`,
				{ headers: { "retry-after": "5" } },
			),
	);

	/**
	 * Runs `work` when it is its turn.
	 * @param signal aborts when the caller does not want it any more: what waits is never begun.
	 * @throws too_many_requests when the caller has many waiting; the signal's reason.
	 */
	async take<T>(actor: Actor, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		const end = await this.#turns.take(turnTakerOf(actor), signal);
		return work().finally(end);
	}
}
