/** A disk of a few megabytes that can be filled: a tmpfs, which only root can mount. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const BLOCK = 2 ** 20;

export interface SmallDisk {
	/** The mount point. */
	path: string;
	/** Bytes that can still be written to it. */
	freeBytes(): Promise<number>;
	/** Fills it until only this many bytes are left. */
	fill(leftBytes: number): Promise<void>;
	/** Creates empty files until it takes no more. */
	fillWithFiles(): Promise<void>;
	/** Deletes the data that was written to fill it. */
	empty(): Promise<void>;
	unmount(): Promise<void>;
}

/**
 * @param files how many it takes; 0 for any number.
 * @param at the folder to mount it at, which is created; a new one if omitted.
 * @throws when this user may not mount one.
 */
export async function mountSmallDisk(megabytes: number, at?: string, files = 0): Promise<SmallDisk> {
	if (process.getuid?.() !== 0) throw new Error("Only root can mount a small disk to fill. Run this test as root.");
	const path = at ?? (await mkdtemp(join(tmpdir(), "tapedeck-disk-")));
	await mkdir(path, { recursive: true });
	await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700,nr_inodes=${files}`, "tmpfs", path]);
	const ballast: string[] = [];
	const freeBytes = async () => {
		const { bavail, bsize } = await statfs(path);
		return bavail * bsize;
	};
	return {
		path,
		freeBytes,
		async fill(leftBytes) {
			for (;;) {
				const surplus = Math.min((await freeBytes()) - leftBytes, BLOCK);
				if (surplus <= 0) return;
				const file = join(path, `ballast-${ballast.length}`);
				ballast.push(file);
				try {
					await writeFile(file, Buffer.alloc(surplus));
				} catch (error) {
					// Another process took the last bytes.
					if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
					throw error;
				}
			}
		},
		async fillWithFiles() {
			for (;;) {
				const file = join(path, `ballast-${ballast.length}`);
				try {
					await writeFile(file, "");
				} catch (error) {
					if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
					throw error;
				}
				ballast.push(file);
			}
		},
		async empty() {
			for (const file of ballast.splice(0)) await rm(file, { force: true });
		},
		async unmount() {
			await run("umount", ["--lazy", path]);
			await rm(path, { recursive: true, force: true });
		},
	};
}
