/**
 * Polls a grid at a fixed interval. Polls overlap when answers are slow, so that a slow grid is polled as often as a fast
 * one. Answers are delivered in the order of their requests.
 */
import { pause } from "../base/wait.ts";
import type { Poll } from "./idle-clock.ts";
import type { GridPoller } from "./poll.ts";

export const POLL_MS = 500;

/** Polls until the signal aborts; `onPoll` must not throw. */
export async function watchGrid(
	poller: Pick<GridPoller, "poll">,
	onPoll: (poll: Poll) => void,
	signal: AbortSignal,
	pollMs = POLL_MS,
): Promise<void> {
	let delivered: Promise<void> = Promise.resolve();
	let due = performance.now();
	while (!signal.aborted) {
		const answer = poller.poll();
		delivered = delivered.then(async () => {
			const poll = await answer;
			// An answer that had to wait for a slower earlier one counts from the moment of its delivery.
			if (!signal.aborted) onPoll({ ...poll, answeredAt: Math.max(poll.answeredAt, performance.now()) });
		});
		due = Math.max(due + pollMs, performance.now());
		await pause(due - performance.now(), signal);
	}
}
