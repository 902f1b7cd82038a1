/** The rules of retention as pure functions, without disk or database. */
import type { RetentionPolicy } from "@tapedeck/contract/retention.ts";

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

/** Number of bytes to delete, by the limits on size and disk. The trash does not count, because it is emptied anyway. */
export function bytesOverLimits(
	policy: RetentionPolicy,
	{ storedBytes, trashBytes, disk }: { storedBytes: number; trashBytes: number; disk: DiskUse | null },
): { size: number; disk: number } {
	const percent = disk === null ? null : wantedDiskPercent(policy, disk);
	return {
		size: policy.maxBytes === null ? 0 : storedBytes - trashBytes - policy.maxBytes,
		disk: disk === null || percent === null ? 0 : disk.usedBytes - trashBytes - (disk.totalBytes * percent) / 100,
	};
}

/**
 * Lists the recordings that will be deleted, with their times, the next one first. Takes them in two orders: by age, the
 * oldest first, and as limits on bytes take them, those of failed tests last.
 * @param over see bytesOverLimits.
 */
export function dueRecordings(
	{ oldestFirst, expendableFirst }: Record<"oldestFirst" | "expendableFirst", readonly RetainedRecording[]>,
	{ policy, over, now }: { policy: RetentionPolicy; over: { size: number; disk: number }; now: number },
): DueRecording[] {
	const due = new Map<number, DueRecording>();
	const left = { ...over };
	const add = (recording: RetainedRecording, reason: DueRecording["reason"], deleteAt: number) => {
		due.set(recording.id, { recording, deleteAt, reason });
		left.size -= recording.bytes;
		left.disk -= recording.bytes;
	};
	const { maxAgeDays } = policy;
	const aged = maxAgeDays === null ? [] : oldestFirst;
	const deleteAtOf = ({ createdAt }: RetainedRecording) => createdAt + (maxAgeDays ?? 0) * DAY_MS;
	for (const recording of aged) if (deleteAtOf(recording) <= now) add(recording, "age", deleteAtOf(recording));
	for (const recording of expendableFirst) {
		if (left.size <= 0 && left.disk <= 0) break;
		if (!due.has(recording.id)) add(recording, left.size > 0 ? "size" : "disk", now);
	}
	for (const recording of aged) if (!due.has(recording.id)) add(recording, "age", deleteAtOf(recording));
	return [...due.values()];
}
