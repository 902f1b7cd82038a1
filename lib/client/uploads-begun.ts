/** How often files were brought in on this tab: what shows uploads comes with the first of them, not with the page. */

let times = 0;
const listeners = new Set<() => void>();

export function tellUploadsBegun(): void {
	times += 1;
	for (const listener of listeners) listener();
}

export const uploadsBegun = {
	subscribe(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	},
	get: (): number => times,
};
