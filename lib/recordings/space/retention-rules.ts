/** What goes when, as plain values: the rules of retention without a disk or a database. */
import type { RetentionPolicy } from "../../contract/organization.ts";

const DAY_MS = 86_400_000;

export interface RetainedRecording {
	id: number;
	name: string;
	bytes: number;
	createdAt: number;
}

export interface DiskUse {
	usedBytes: number;
	totalBytes: number;
	/** Bytes of the disk that are recordings. */
	videoBytes: number;
}

export interface DueRecording {
	recording: RetainedRecording;
	/** Milliseconds since 1970; now or earlier: at the next sweep. */
	deleteAt: number;
	reason: "age" | "size" | "disk";
}

/**
 * The percentage that the disk may be full to. What is not ours may fill it beyond the policy's percentage by
 * itself; then deleting recordings cannot help, and they keep half of the room that is left instead of all going.
 * @returns null when the policy does not look at the disk.
 */
export function wantedDiskPercent(policy: RetentionPolicy, disk: DiskUse): number | null {
	if (policy.maxDiskPercent === null) return null;
	const others = ((disk.usedBytes - disk.videoBytes) / disk.totalBytes) * 100;
	return others < policy.maxDiskPercent ? policy.maxDiskPercent : others + (100 - others) / 2;
}

/**
 * Which of the recordings that may go (oldest first) will go and when, the next one first.
 * @param state `storedBytes` is all that the organization holds; `disk` null leaves the disk out.
 */
export function dueRecordings(
	oldestFirst: readonly RetainedRecording[],
	state: { policy: RetentionPolicy; disk: DiskUse | null; storedBytes: number; now: number },
): DueRecording[] {
	const { policy, disk, now } = state;
	const percent = disk === null ? null : wantedDiskPercent(policy, disk);
	let tooMuch = policy.maxBytes === null ? 0 : state.storedBytes - policy.maxBytes;
	let tooFull = disk === null || percent === null ? 0 : disk.usedBytes - (disk.totalBytes * percent) / 100;
	const due: DueRecording[] = [];
	for (const recording of oldestFirst) {
		const byAge = policy.maxAgeDays === null ? null : recording.createdAt + policy.maxAgeDays * DAY_MS;
		const reason = byAge !== null && byAge <= now ? "age" : tooMuch > 0 ? "size" : tooFull > 0 ? "disk" : "age";
		if (reason !== "age") due.push({ recording, deleteAt: now, reason });
		else if (byAge !== null) due.push({ recording, deleteAt: byAge, reason });
		else break;
		if (reason !== "age" || (byAge !== null && byAge <= now)) {
			tooMuch -= recording.bytes;
			tooFull -= recording.bytes;
		}
	}
	return due;
}
