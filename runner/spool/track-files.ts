/**
 * The tracks of a recording in its spool folder: a file of NDJSON for each, to which whoever has something to say appends.
 * The file's content is the stream that the dashboard gets, byte for byte.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The file of a track, such as `track-log.ndjson`. */
export const trackFile = (folder: string, name: string): string => join(folder, `track-${name}.ndjson`);

/** The names of the tracks in a folder; none for a folder that does not exist. */
export async function tracksIn(folder: string): Promise<string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.flatMap((name) => /^track-([\w.-]+)\.ndjson$/.exec(name)?.[1] ?? []);
}
