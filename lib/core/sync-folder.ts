import { open } from "node:fs/promises";

/** Syncs that run, by folder. */
const running = new Map<string, Promise<void>>();
/** The next sync of each folder, which has not begun. */
const next = new Map<string, Promise<void>>();

/**
 * Syncs a folder to disk: a new or renamed file survives a crash only once its folder is synced. All callers that wait while
 * one sync runs share the one after it: it begins later than their calls, so it has their files.
 * @param syncNow replaces fsync; for tests.
 */
export function syncFolder(path: string, syncNow = fsyncFolder): Promise<void> {
	const known = next.get(path);
	if (known !== undefined) return known;
	const turn = (running.get(path) ?? Promise.resolve())
		.catch(() => undefined)
		.then(() => {
			next.delete(path);
			const sync = syncNow(path).finally(() => {
				if (running.get(path) === sync) running.delete(path);
			});
			running.set(path, sync);
			return sync;
		});
	next.set(path, turn);
	return turn;
}

async function fsyncFolder(path: string): Promise<void> {
	const folder = await open(path, "r");
	await folder.sync().finally(() => folder.close());
}
