/**
 * A fetch and the event stream race: an answer that was computed before an event may arrive after it.
 * So that old state never overwrites new, every list and read overlays the events that came in
 * while it was under way.
 */
const KEEP_MS = 30_000;
const MAX_KEPT = 2_000;

export class NewerFacts<T extends { id: number }> {
	readonly #facts = new Map<number, { value: T | null; at: number }>();

	/** Notes what an event said; null: the thing is gone. */
	note(id: number, value: T | null, at: number = performance.now()): void {
		this.#facts.delete(id);
		this.#facts.set(id, { value, at });
		for (const [key, fact] of this.#facts) {
			if (this.#facts.size <= MAX_KEPT && at - fact.at < KEEP_MS) break;
			this.#facts.delete(key);
		}
	}

	/** `items` of a fetch that began at `since`, with what events said after that. */
	overlay(items: readonly T[], since: number): T[] {
		return items.flatMap((item) => {
			const fact = this.#facts.get(item.id);
			if (fact === undefined || fact.at < since) return [item];
			return fact.value === null ? [] : [fact.value];
		});
	}
}
