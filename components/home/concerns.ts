/** Finds what needs attention: storage that is almost full, and runners that are offline or older than the dashboard. */
import type { Runner } from "@tapedeck/contract/runner.ts";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { formatBytes } from "#lib/client/format.ts";

/** From this share on, storage is almost full. */
const ALMOST_FULL = 0.9;

export function concernsOf(storage: Storage | undefined, runners: readonly Runner[]) {
	return {
		isStorageLow: storage !== undefined && (storage.state === "full" || usedShare(storage) >= ALMOST_FULL),
		offline: runners.filter(({ state }) => state === "offline"),
		outdated: runners.filter(({ state, versionStatus }) => state === "online" && versionStatus === "older"),
	};
}

/** The used share of the storage quota or of the disk without its reserve, whichever is fuller. */
function usedShare({ freeBytes, totalBytes, reserveBytes, usedBytes, quotaBytes }: Storage): number {
	const usable = totalBytes - reserveBytes;
	const ofDisk = usable <= 0 ? 1 : 1 - Math.max(0, freeBytes - reserveBytes) / usable;
	return quotaBytes === null ? ofDisk : Math.max(ofDisk, quotaBytes === 0 ? 1 : usedBytes / quotaBytes);
}

/** For example 12 GB of 40 GB of the disk are free. */
export function storageText({ freeBytes, totalBytes, usedBytes, quotaBytes }: Storage): string {
	const disk = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} of the disk are free.`;
	return quotaBytes === null
		? disk
		: `${formatBytes(usedBytes)} of the ${formatBytes(quotaBytes)} storage quota are used. ${disk}`;
}

/** Runners that jobs wait for first, then those that were seen last. */
export const offlineFirst = (runners: readonly Runner[]): Runner[] =>
	runners.toSorted(
		(a, b) => b.waitingJobIds.length - a.waitingJobIds.length || (b.lastSeenAt ?? "").localeCompare(a.lastSeenAt ?? ""),
	);
