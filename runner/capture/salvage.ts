/** Handles a job's folder whose manifest cannot be read, without losing captured video. */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunnerLog } from "../base/log.ts";
import { captureFiles, partsIn, videoBytesIn } from "../spool/capture-files.ts";
import { Capture } from "./ffmpeg.ts";

const STOP_GRACE_MS = 3_000;

/**
 * Ends captures into the folder. A folder with video is moved out of the spool, to `unreadable` next to it; one without
 * video is deleted.
 * @param root of the spool.
 */
export async function salvage(root: string, name: string, log: RunnerLog): Promise<void> {
	const folder = join(root, name);
	for (const part of await partsIn(folder))
		await (await Capture.adopt(captureFiles(folder, part)))?.stop(STOP_GRACE_MS);
	if ((await videoBytesIn(folder)) === 0) {
		await rm(folder, { recursive: true, force: true });
		return;
	}
	const kept = join(dirname(root), "unreadable", `${name}-${Date.now()}`);
	await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
	await rename(folder, kept);
	log.error(`The manifest of ${name} cannot be read, so it cannot be uploaded. Its video is kept in ${kept}.`);
}
