/** The wait behind every long poll: look, and look again whenever a fact could have changed what is seen. */
import type { Context, Fact } from "./context.ts";

/**
 * Looks again and again, at each fact that matters, until it is enough, the time is up, or the signal is aborted.
 *
 * @param wait.isEnough judged after each look.
 * @param signal the caller went away, or the server stops.
 * @returns what was seen last.
 */
export async function lookUntil<T>(
	ctx: Pick<Context, "facts">,
	wait: { look: () => Promise<T>; isEnough: (seen: T) => boolean; matters: (fact: Fact) => boolean; timeoutMs: number },
	signal: AbortSignal,
): Promise<T> {
	const deadline = performance.now() + wait.timeoutMs;
	let changed = Promise.withResolvers<void>();
	const unsubscribe = ctx.facts.subscribe((fact) => {
		if (wait.matters(fact)) changed.resolve();
	});
	const onAbort = () => changed.resolve();
	signal.addEventListener("abort", onAbort);
	try {
		for (;;) {
			// Armed before the look, so that a change in between is not slept through.
			changed = Promise.withResolvers<void>();
			const seen = await wait.look();
			const leftMs = deadline - performance.now();
			if (wait.isEnough(seen) || leftMs <= 0 || signal.aborted) return seen;
			const timer = setTimeout(() => changed.resolve(), leftMs);
			await changed.promise;
			clearTimeout(timer);
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
		unsubscribe();
	}
}
