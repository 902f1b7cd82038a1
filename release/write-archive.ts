/** Archives that have the same bytes each time: those of a release. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Writes files into an archive by GNU tar, without what depends on the machine and the moment: order, times, owners and modes.
 * @param epoch the time that its files have, in seconds since 1970.
 * @param words further options of tar, and the files.
 * @returns the path of the archive.
 */
export async function writeArchive(archive: string, epoch: string, words: readonly string[]): Promise<string> {
	await promisify(execFile)("tar", [
		...["--create", `--file=${archive}`, "--sort=name", `--mtime=@${epoch}`],
		...["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", ...words],
	]);
	return archive;
}
