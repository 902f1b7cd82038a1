/** Finds the files in a folder and its subfolders. Links are never followed, and only regular files count. */
import { lstat, opendir } from "node:fs/promises";
import { matchesGlob } from "node:path";

export interface FoundFile {
	/** The whole path in the bytes of the file system, which need not be UTF-8. */
	path: Buffer;
	/** The path within the folder, for people and patterns. */
	name: string;
	bytes: number;
	/** In milliseconds since 1970. */
	changedAt: number;
}

/** Files and folders of one watched folder. */
export const MAX_ENTRIES = 100_000;

export class TooManyFilesError extends Error {
	override name = "TooManyFilesError";
}

const SLASH = Buffer.from("/");
/** Hidden files and folders: what programs keep for themselves, such as secrets and files that are being written. */
const DOT = 0x2e;

/**
 * Hidden files and folders are left out.
 * @param excluded patterns such as `*.tmp.mp4` or `drafts/**`; one without a slash is for names at any depth.
 * @throws TooManyFilesError; the errors of the file system for the folder itself. Subfolders that cannot be read are left out.
 */
export async function scanFolder(
	folder: string,
	excluded: readonly string[],
	maxEntries = MAX_ENTRIES,
): Promise<FoundFile[]> {
	const found: FoundFile[] = [];
	let entries = 0;
	const scan = async (path: Buffer, prefix: string): Promise<void> => {
		for await (const { bytes, isFolder, isFile } of entriesOf(path)) {
			entries += 1;
			if (entries > maxEntries) {
				throw new TooManyFilesError(
					`${folder} has more than ${maxEntries} files and folders. Watch a smaller folder, or move old files out of it`,
				);
			}
			const name = prefix + bytes.toString();
			if (bytes[0] === DOT || isExcluded(name, excluded)) continue;
			const inside = Buffer.concat([path, SLASH, bytes]);
			if (isFolder) await scan(inside, `${name}/`).catch(unlessTooMany);
			else if (isFile) {
				const stat = await lstat(inside).catch(() => null);
				if (stat?.isFile()) found.push({ path: inside, name, bytes: stat.size, changedAt: stat.mtimeMs });
			}
		}
	};
	await scan(Buffer.from(folder), "");
	return found;
}

const isExcluded = (name: string, excluded: readonly string[]): boolean =>
	excluded.some((pattern) =>
		matchesGlob(pattern.includes("/") ? name : name.slice(name.lastIndexOf("/") + 1), pattern),
	);

/** A subfolder may vanish, or not be readable. */
function unlessTooMany(error: unknown): void {
	if (error instanceof TooManyFilesError) throw error;
}

/** The entries of a folder, read as they are needed: there may be a million. */
async function* entriesOf(path: Buffer): AsyncGenerator<{ bytes: Buffer; isFolder: boolean; isFile: boolean }> {
	// The types know no names as bytes here.
	const entries = await opendir(path as unknown as string, { encoding: "buffer" as BufferEncoding });
	for await (const entry of entries) {
		yield { bytes: entry.name as unknown as Buffer, isFolder: entry.isDirectory(), isFile: entry.isFile() };
	}
}
