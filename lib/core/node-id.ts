/** Identifies a data directory among those of the dashboards on one database. */
import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/** Survives restarts, and is part of a backup: the files of its uploads are in the same directory. */
export const NODE_ID_FILE = "node.id";

/** The id in a data directory, created at the first start. */
export async function loadNodeId(dataDir: string): Promise<string> {
	const file = join(dataDir, NODE_ID_FILE);
	const known = await readFile(file, "utf8").catch(() => "");
	if (known.trim() !== "") return known.trim();
	const id = randomUUID();
	await writeFile(`${file}.new`, `${id}\n`, { mode: 0o600 });
	await rename(`${file}.new`, file);
	await syncFolder(dataDir);
	return id;
}
