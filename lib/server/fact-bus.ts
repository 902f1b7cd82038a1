/** Facts of this process, told at once to whoever listens. A listener that throws harms nobody else. */
import type { Fact, FactBus, Log } from "../core/context.ts";

export function createFactBus(log: Log): FactBus {
	const listeners = new Set<(fact: Fact) => void>();
	return {
		publish(fact) {
			for (const listener of [...listeners]) {
				try {
					listener(fact);
				} catch (error) {
					log.error({ err: error, fact: fact.type }, "a listener of facts failed");
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
