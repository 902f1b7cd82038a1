import type { Runner } from "@tapedeck/contract/runner.ts";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { expect, test } from "vitest";
import { concernsOf, offlineFirst, storageText } from "./concerns.ts";

const GB = 1_000_000_000;
const storage = (more: Partial<Storage> = {}): Storage => ({
	...{ state: "ok", waitsFor: null, freeBytes: 50 * GB, totalBytes: 100 * GB, reserveBytes: 1 * GB },
	...{ usedBytes: 5 * GB, quotaBytes: null, maxUploadBytes: null },
	...more,
});
const runner = (id: number, more: Partial<Runner>) =>
	({
		id,
		state: "online",
		versionStatus: "current",
		lastSeenAt: null,
		waitingJobIds: [],
		...more,
	}) as unknown as Runner;

test.each<[string, Partial<Storage>, boolean]>([
	["half of the disk is free", {}, false],
	["a tenth of the disk is free", { freeBytes: 10 * GB }, true],
	["uploads are paused", { state: "full" }, true],
	["nine tenths of the quota are used", { usedBytes: 9 * GB, quotaBytes: 10 * GB }, true],
	["half of the quota is used", { usedBytes: 5 * GB, quotaBytes: 10 * GB }, false],
	["the quota is zero", { quotaBytes: 0 }, true],
])("storage when %s", (_, more, isLow) => {
	expect(concernsOf(storage(more), []).isStorageLow).toBe(isLow);
});

test("runners need attention when they are offline, or older than the dashboard", () => {
	const runners = [
		runner(1, {}),
		runner(2, { state: "offline", versionStatus: "older" }),
		runner(3, { versionStatus: "older" }),
		runner(4, { versionStatus: "newer" }),
	];
	const { offline, outdated } = concernsOf(undefined, runners);
	expect(offline.map(({ id }) => id)).toEqual([2]);
	expect(outdated.map(({ id }) => id)).toEqual([3]);
});

test("offline runners that jobs wait for come first, then those that went last", () => {
	const all = [
		runner(1, { lastSeenAt: "2026-11-01T00:00:00.000Z" }),
		runner(2, {}),
		runner(3, { lastSeenAt: "2026-11-02T00:00:00.000Z" }),
		runner(4, { waitingJobIds: [7] }),
	];
	expect(offlineFirst(all).map(({ id }) => id)).toEqual([4, 3, 1, 2]);
});

test("storage is said with its quota if there is one", () => {
	expect(storageText(storage())).toBe("50 GB of 100 GB of the disk are free.");
	expect(storageText(storage({ quotaBytes: 10 * GB }))).toMatch(
		/^5(\.0)? GB of the 10(\.0)? GB storage quota are used\. /,
	);
});
