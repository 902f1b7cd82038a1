/** Delivers committed changes to the listeners in this process. A listener that throws does not affect the others. */
import type { Change, EventBus, Log } from "#lib/core/context.ts";

export interface OpenEventBus extends EventBus {
	/** Sends pending changes to the other processes, and stops receiving theirs. */
	close(): Promise<void>;
}

export function createEventBus(log: Log): OpenEventBus {
	const listeners = new Set<(change: Change) => void>();
	let delivered = 0;
	return {
		get delivered() {
			return delivered;
		},
		publish(change) {
			delivered += 1;
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
		async close() {},
	};
}
