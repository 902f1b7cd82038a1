/** The recordings in a data directory that are not uploaded yet. Only reads, so that it works while no runner is running. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import { isAlive, parseStat } from "../base/process-id.ts";
import { GRACE_SECONDS } from "../capture/watchdog.ts";
import { videoBytesIn } from "../spool/capture-files.ts";
import type { DashboardIdentity } from "../spool/dashboard-identity.ts";
import { readManifest } from "../spool/spool.ts";
import { formatSize, titleOf } from "./format.ts";

export interface UndeliveredRecording {
	key: string;
	jobId: number | null;
	name: string;
	displayId: string;
	/** RFC 3339 instant of the first frame. */
	startedAt: string | null;
	videoBytes: number;
	/** Whether the dashboard has confirmed the whole video; only reports are left to be sent. */
	videoDelivered: boolean;
	stopReason: StopReason | null;
	/** The dashboard it is for. */
	dashboard: DashboardIdentity;
	/** Pids of ffmpegs that are still recording without their runner. */
	ffmpegs: number[];
}

/** @returns the recordings in the spool, oldest first; none if the directory doesn't exist. */
export async function undelivered(dataDir: string): Promise<UndeliveredRecording[]> {
	const root = join(dataDir, "jobs");
	const names = await readdir(root).catch(() => []);
	const found = await Promise.all(names.map((name) => recordingIn(join(root, name), name)));
	return found.filter((one) => one !== null).sort((a, b) => (a.startedAt ?? "").localeCompare(b.startedAt ?? ""));
}

async function recordingIn(folder: string, key: string): Promise<UndeliveredRecording | null> {
	const manifest = await readManifest(join(folder, "manifest.json"));
	if (manifest === null) return null;
	const firstFrameAt = manifest.parts[0]?.firstFrameAt ?? null;
	const { jobId, name, displayId, stop, upload, dashboard } = manifest;
	return {
		key,
		jobId,
		name,
		displayId,
		startedAt: firstFrameAt === null ? null : new Date(firstFrameAt).toISOString(),
		videoBytes: await videoBytesIn(folder),
		videoDelivered: upload?.complete ?? false,
		stopReason: stop?.reason ?? null,
		dashboard,
		ffmpegs: await ffmpegsIn(folder),
	};
}

async function ffmpegsIn(folder: string): Promise<number[]> {
	const files = (await readdir(folder).catch(() => [])).filter((name) => /^part-\d+\.pid$/.test(name));
	const ids = await Promise.all(
		files.map(async (name) => parseStat(await readFile(join(folder, name), "utf8").catch(() => ""))),
	);
	return ids.flatMap((id) => (id !== null && isAlive(id) ? [id.pid] : []));
}

/** The list as text. @param left the recordings. */
export function describeUndelivered(left: UndeliveredRecording[]): string {
	if (left.length === 0) return "Its spool is empty.";
	const lines = left.map((one) => {
		const delivered = one.videoDelivered ? "video uploaded, its end not reported yet" : formatSize(one.videoBytes);
		const running =
			one.ffmpegs.length === 0
				? ""
				: `, ffmpeg ${one.ffmpegs.join(", ")} is still recording, for up to ${GRACE_SECONDS} s unless the runner is restarted`;
		return `  ${titleOf(one)}: ${delivered}, for ${one.dashboard.url}${running}`;
	});
	return ["In its spool, to be uploaded when it is started again for their dashboard:", ...lines].join("\n");
}
