/** How much video a job's folder holds. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all parts, looked up in the files: nobody else looks while the dashboard is away. */
export async function bytesIn(folder: string): Promise<number> {
	const names = await readdir(folder).catch(() => []);
	const parts = names.filter((name) => /^part-\d+\.mp4$/.test(name));
	const sizes = await Promise.all(parts.map((name) => stat(join(folder, name)).catch(() => null)));
	return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}
