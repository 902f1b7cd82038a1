/**
 * Polls a grid at a steady pace. A slow answer does not hold up the next question, so that a slow grid is
 * watched as closely as a quick one; answers are handed on in the order of their questions.
 */
import { pause } from "../base/wait.ts";
import type { Poll } from "./idle-clock.ts";
import type { GridPoller } from "./poll.ts";

export const POLL_MS = 500;

/** Polls until the signal says enough; `take` must not throw. */
export async function watchGrid(
	poller: Pick<GridPoller, "poll">,
	take: (poll: Poll) => void,
	signal: AbortSignal,
	pollMs = POLL_MS,
): Promise<void> {
	let handedOn: Promise<void> = Promise.resolve();
	let due = performance.now();
	while (!signal.aborted) {
		const answer = poller.poll();
		handedOn = handedOn.then(async () => {
			const poll = await answer;
			// An answer that had to wait for a slower one before it counts from when it could be used.
			if (!signal.aborted) take({ ...poll, answeredAt: Math.max(poll.answeredAt, performance.now()) });
		});
		due = Math.max(due + pollMs, performance.now());
		await pause(due - performance.now(), signal);
	}
}
