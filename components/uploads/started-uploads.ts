/** Number of uploads started in this tab. Separate from the queue, whose script is loaded with the first of them. */
let started = 0;
const listeners = new Set<() => void>();

export function uploadsStarted(): void {
	started += 1;
	for (const listener of listeners) listener();
}

export const startedCount = (): number => started;

export function onUploadsStarted(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
