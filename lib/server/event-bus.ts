/** Delivers committed changes to the listeners in this process. A listener that throws does not affect the others. */
import type { Change, EventBus, Log } from "#lib/core/context.ts";

export function createEventBus(log: Log): EventBus {
	const listeners = new Set<(change: Change) => void>();
	return {
		publish(change) {
			for (const listener of [...listeners]) {
				try {
					listener(change);
				} catch (error) {
					log.error({ err: error, change: change.type }, "an event listener failed");
				}
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
}
