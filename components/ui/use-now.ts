"use client";

import { useSyncExternalStore } from "react";

/** A single timer for everything on the page that ticks. It stops while nothing does. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	if (timer === undefined) {
		now = Date.now();
		timer = setInterval(() => {
			now = Date.now();
			for (const one of listeners) one();
		}, 1000);
	}
	return () => {
		listeners.delete(listener);
		if (listeners.size === 0) {
			clearInterval(timer);
			timer = undefined;
		}
	};
}

// While the timer is off, the value must not change between two reads of one render.
const current = (): number => {
	if (now === 0 || (timer === undefined && Date.now() - now > 1000)) now = Date.now();
	return now;
};

/** The time in milliseconds since 1970, updated every second. 0 on the server. */
export const useNow = (): number => useNowAs((at) => at);

/**
 * A value derived from the time: renders when the value changes, not every second.
 * @param select of the milliseconds since 1970, which are 0 on the server
 */
export const useNowAs = <T extends string | number>(select: (at: number) => T): T =>
	useSyncExternalStore(
		subscribe,
		() => select(current()),
		() => select(0),
	);
