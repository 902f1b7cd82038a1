/**
 * How many uploads this tab has started. A separate small store, because every page loads it; the queue and its tray
 * load with the first upload.
 */

let count = 0;
const listeners = new Set<() => void>();

export function noteUploadStarted(): void {
	count += 1;
	for (const listener of listeners) listener();
}

export const uploadsStarted = {
	subscribe(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	},
	get: (): number => count,
};
