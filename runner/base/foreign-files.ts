/** Root runs no file that another user could have changed: that user would be root. */
import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

const WRITABLE_BY_OTHERS = 0o022;
/** Other users can write into such a folder, but cannot replace files that are not theirs, as in /tmp. */
const STICKY = 0o1000;

/**
 * @param program an absolute path.
 * @returns why root must not run it, as a sentence without its end; null if it may be run, or this is not root.
 */
export function whyNotAsRoot(program: string): string | null {
	if (process.getuid?.() !== 0) return null;
	const places = [...foldersOf(realpathSync(program)), ...foldersOf(program)];
	for (const place of places) {
		const stat = lstatSync(place);
		if (stat.uid !== 0) return `${place} belongs to the user ${stat.uid}, and root runs no file of another user`;
		const isSafe = stat.isSymbolicLink() || (stat.mode & WRITABLE_BY_OTHERS) === 0 || (stat.mode & STICKY) !== 0;
		if (!isSafe) return `other users can write to ${place}, and root runs no file that they can change`;
	}
	return null;
}

/** The path, and all folders that it is in. */
const foldersOf = (path: string): string[] => (dirname(path) === path ? [path] : [path, ...foldersOf(dirname(path))]);
