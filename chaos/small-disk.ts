/** A disk of a few megabytes that can be filled: a tmpfs, which only root may mount. */
import { execFile } from "node:child_process";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MEGABYTE = 2 ** 20;

export interface SmallDisk {
	readonly path: string;
	/** Takes all room but this much. */
	fill(leaveBytes: number): Promise<void>;
	/** Gives the room back. */
	empty(): Promise<void>;
	unmount(): Promise<void>;
}

/** Mounts one at `path`, which is made. @returns null where this user may not. */
export async function mountSmallDisk(path: string, megabytes: number): Promise<SmallDisk | null> {
	await mkdir(path, { recursive: true });
	try {
		await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tapedeck-chaos", path]);
	} catch {
		return null;
	}
	const ballast = join(path, "ballast");
	return {
		path,
		async fill(leaveBytes) {
			const file = await open(ballast, "a");
			try {
				for (;;) {
					const { bavail, bsize } = await statfs(path);
					const room = bavail * bsize - leaveBytes;
					if (room < bsize) return;
					await file.write(Buffer.alloc(Math.min(room, MEGABYTE)));
				}
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
			} finally {
				await file.close();
			}
		},
		empty: () => rm(ballast, { force: true }),
		async unmount() {
			await run("umount", [path]).catch(() => run("umount", ["-l", path]));
		},
	};
}
