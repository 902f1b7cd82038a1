/** The wait behind every long poll: reads the state, and reads it again after each relevant change. */
import type { Change, Context } from "./context.ts";

/**
 * Reads repeatedly, once per relevant change, until the result is final, the time is up, or the signal is aborted.
 *
 * @param wait.readsAtEnd whether to read once more when the time is up, for changes that this process did not hear of.
 * @param signal the caller disconnected, or the server is stopping.
 * @returns the last result.
 */
export async function pollUntil<T>(
	ctx: Pick<Context, "events">,
	wait: {
		read: () => Promise<T>;
		isFinal: (result: T) => boolean;
		isRelevant: (change: Change) => boolean;
		timeoutMs: number;
		readsAtEnd?: boolean;
	},
	signal: AbortSignal,
): Promise<T> {
	const deadline = performance.now() + wait.timeoutMs;
	let changed = Promise.withResolvers<"changed" | "time is up">();
	const unsubscribe = ctx.events.subscribe((change) => {
		if (change.type === "resync" || wait.isRelevant(change)) changed.resolve("changed");
	});
	const onAbort = () => changed.resolve("changed");
	signal.addEventListener("abort", onAbort);
	try {
		for (;;) {
			// Armed before the read, so that a change during it is not missed.
			changed = Promise.withResolvers();
			const result = await wait.read();
			const leftMs = deadline - performance.now();
			if (wait.isFinal(result) || leftMs <= 0 || signal.aborted) return result;
			const timer = setTimeout(() => changed.resolve("time is up"), leftMs);
			const why = await changed.promise;
			clearTimeout(timer);
			if (why === "time is up" && wait.readsAtEnd === false) return result;
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
		unsubscribe();
	}
}
