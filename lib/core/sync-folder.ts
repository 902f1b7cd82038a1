import { open } from "node:fs/promises";

/** Syncs a folder to disk: a new or renamed file survives a crash only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
	const folder = await open(path, "r");
	await folder.sync().finally(() => folder.close());
}
