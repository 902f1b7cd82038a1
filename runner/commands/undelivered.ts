/** What a data directory holds while no runner runs with it: read, never changed. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StopReason } from "#lib/contract/job.ts";
import { bytesIn } from "../control/bytes-in.ts";
import type { DashboardIdentity } from "../spool/dashboard-identity.ts";
import { isAlive, parseStat } from "../base/process-id.ts";
import { readManifest } from "../spool.ts";
import { PATIENCE_SECONDS } from "../capture/watchdog.ts";
import { sizeInWords, titleOf } from "./in-words.ts";

export interface LeftRecording {
	key: string;
	jobId: number | null;
	name: string;
	displayId: string;
	/** RFC 3339 instant of the first frame. */
	startedAt: string | null;
	videoBytes: number;
	/** The dashboard has confirmed all of it; only words are left to be told. */
	videoDelivered: boolean;
	stopReason: StopReason | null;
	/** Whose it is; null when an older runner recorded it. */
	dashboard: DashboardIdentity | null;
	/** ffmpegs that record on without their runner. */
	ffmpegs: number[];
}

/** @returns what waits in the spool, oldest first; nothing for a directory that is not there. */
export async function leftBehind(dataDir: string): Promise<LeftRecording[]> {
	const root = join(dataDir, "jobs");
	const names = await readdir(root).catch(() => []);
	const found = await Promise.all(names.map((name) => recordingIn(join(root, name), name)));
	return found.filter((one) => one !== null).sort((a, b) => (a.startedAt ?? "").localeCompare(b.startedAt ?? ""));
}

async function recordingIn(folder: string, key: string): Promise<LeftRecording | null> {
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
		videoBytes: await bytesIn(folder),
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

/** The same for people. */
export function leftInWords(left: LeftRecording[]): string {
	if (left.length === 0) return "Nothing waits in its spool.";
	const lines = left.map((one) => {
		const delivered = one.videoDelivered
			? "its video is delivered, its end is not told yet"
			: sizeInWords(one.videoBytes);
		const running =
			one.ffmpegs.length === 0
				? ""
				: `, ffmpeg ${one.ffmpegs.join(", ")} records on for ${PATIENCE_SECONDS} s at most, unless the runner comes back`;
		const whose = one.dashboard === null ? "" : `, for ${one.dashboard.url}`;
		return `  ${titleOf(one)}: ${delivered}${whose}${running}`;
	});
	return ["In its spool, delivered when it is started again for their dashboard:", ...lines].join("\n");
}
