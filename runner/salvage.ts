/** What to do with a job's folder whose manifest cannot be read: nothing that was captured is thrown away. */
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Capture, captureFiles } from "./capture/ffmpeg.ts";

const STOP_GRACE_MS = 3_000;

/**
 * Ends what still captures into the folder. One with video is moved out of the spool, to `unreadable` beside it; one
 * without never got a frame and goes.
 * @param root of the spool.
 * @returns where the videos are now; null when there were none.
 */
export async function salvage(root: string, name: string): Promise<string | null> {
	const folder = join(root, name);
	const files = await readdir(folder).catch(() => []);
	const parts = files.flatMap((file) => /^part-(\d+)\.mp4$/.exec(file)?.[1] ?? []).map(Number);
	for (const part of parts) await (await Capture.adopt(captureFiles(folder, part)))?.stop(STOP_GRACE_MS);
	const sizes = await Promise.all(parts.map((part) => stat(captureFiles(folder, part).video)));
	if (!sizes.some(({ size }) => size > 0)) {
		await rm(folder, { recursive: true, force: true });
		return null;
	}
	const kept = join(dirname(root), "unreadable", `${name}-${Date.now()}`);
	await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
	await rename(folder, kept);
	return kept;
}
