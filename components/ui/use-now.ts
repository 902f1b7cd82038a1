"use client";

import { useSyncExternalStore } from "react";

/** One timer for everything on the page that ticks, and none while nothing does. */
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

// While the timer stands still the value must not change between two looks of one drawing.
const current = (): number => {
	if (now === 0 || (timer === undefined && Date.now() - now > 1000)) now = Date.now();
	return now;
};

/** The time of day in milliseconds since 1970, anew each second. 0 on the server. */
export const useNow = (): number => useNowAs((at) => at);

/**
 * What is told of the time of day: drawn anew when that changes, not each second.
 * @param told of the milliseconds since 1970, which are 0 on the server
 */
export const useNowAs = <T extends string | number>(told: (at: number) => T): T =>
	useSyncExternalStore(
		subscribe,
		() => told(current()),
		() => told(0),
	);
