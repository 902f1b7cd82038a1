/** The signal of a call that waits: it aborts when something ends the call before its answer. */
import type { ServerResponse } from "node:http";

/** Calls the listener once something happens. @returns a function that removes the listener. */
export type Subscribe = (listener: () => void) => () => void;

export type CallSignal = { signal: AbortSignal; release: () => void };

/**
 * `AbortSignal.any` would do the same without `release`, but every garbage collection has to look after its weak
 * references, and a thousand runners wait.
 *
 * @returns a signal that aborts at the first of these, and a function to call once the call is over.
 */
export function callSignal(...sources: Subscribe[]): CallSignal {
	const ended = new AbortController();
	const end = () => ended.abort();
	const removals = sources.map((subscribe) => subscribe(end));
	return {
		signal: ended.signal,
		release: () => {
			for (const remove of removals) remove();
		},
	};
}

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Listens to a long-lived signal with many listeners. AbortSignal itself searches its list at each addition and
 * removal.
 */
export function onAbort(signal: AbortSignal): Subscribe {
	return (listener) => {
		if (signal.aborted) listener();
		let listeners = listenersOf.get(signal);
		if (listeners === undefined) {
			const all = new Set<() => void>();
			signal.addEventListener("abort", () => {
				for (const each of all) each();
			});
			listenersOf.set(signal, all);
			listeners = all;
		}
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
}

/** The time is over. */
export function onTimeout(ms: number): Subscribe {
	return (listener) => {
		const timer = setTimeout(listener, ms);
		return () => clearTimeout(timer);
	};
}

/** The caller disconnected, or the response has been sent. */
export function onClose(res: ServerResponse): Subscribe {
	return (listener) => {
		if (res.closed) listener();
		else res.once("close", listener);
		return () => res.off("close", listener);
	};
}
