/** The rules of retention as pure functions, without disk or database. */
import type { RetentionPolicy } from "#lib/contract/organization.ts";

export const DAY_MS = 86_400_000;

export interface RetainedRecording {
	id: number;
	name: string;
	bytes: number;
	createdAt: number;
}

export interface DiskUse {
	usedBytes: number;
	totalBytes: number;
	/** Bytes on the disk that are recordings. */
	videoBytes: number;
}

export interface DueRecording {
	recording: RetainedRecording;
	/** Milliseconds since 1970; if not in the future, the next sweep deletes it. */
	deleteAt: number;
	reason: "age" | "size" | "disk";
}

/**
 * The usage to which the disk may be filled, in percent. Other files may exceed the policy's limit by themselves.
 * Deleting recordings cannot fix that, so they then keep half of the remaining space instead of all being deleted.
 * @returns null if the policy has no disk limit.
 */
export function wantedDiskPercent(policy: RetentionPolicy, disk: DiskUse): number | null {
	if (policy.maxDiskPercent === null) return null;
	const others = ((disk.usedBytes - disk.videoBytes) / disk.totalBytes) * 100;
	return others < policy.maxDiskPercent ? policy.maxDiskPercent : others + (100 - others) / 2;
}

/**
 * Which recordings will be deleted and when, the next one first. Takes deletable recordings, oldest first.
 * @param state `storedBytes` is everything the organization stores; `disk` null ignores the disk.
 */
export function dueRecordings(
	oldestFirst: readonly RetainedRecording[],
	state: { policy: RetentionPolicy; disk: DiskUse | null; storedBytes: number; now: number },
): DueRecording[] {
	const { policy, disk, now } = state;
	const percent = disk === null ? null : wantedDiskPercent(policy, disk);
	let bytesOverLimit = policy.maxBytes === null ? 0 : state.storedBytes - policy.maxBytes;
	let diskBytesOverLimit = disk === null || percent === null ? 0 : disk.usedBytes - (disk.totalBytes * percent) / 100;
	const due: DueRecording[] = [];
	for (const recording of oldestFirst) {
		const byAge = policy.maxAgeDays === null ? null : recording.createdAt + policy.maxAgeDays * DAY_MS;
		const reason =
			byAge !== null && byAge <= now ? "age" : bytesOverLimit > 0 ? "size" : diskBytesOverLimit > 0 ? "disk" : "age";
		if (reason !== "age") due.push({ recording, deleteAt: now, reason });
		else if (byAge !== null) due.push({ recording, deleteAt: byAge, reason });
		else break;
		if (reason !== "age" || (byAge !== null && byAge <= now)) {
			bytesOverLimit -= recording.bytes;
			diskBytesOverLimit -= recording.bytes;
		}
	}
	return due;
}
