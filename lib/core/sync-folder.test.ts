import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { syncFolder } from "./sync-folder.ts";

/** A disk whose syncs a test ends. */
function slowDisk() {
	const syncs: PromiseWithResolvers<void>[] = [];
	const sync = (): Promise<void> => {
		const one = Promise.withResolvers<void>();
		syncs.push(one);
		return one.promise;
	};
	return { syncs, sync };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test("60 callers share one sync of a folder, which begins after their calls, when another one runs already", async () => {
	const { syncs, sync } = slowDisk();
	const first = syncFolder("/videos", sync);
	await turns();
	const ended: number[] = [];
	const later = Array.from({ length: 60 }, (_, index) => syncFolder("/videos", sync).then(() => ended.push(index)));
	await turns();
	expect(syncs.length).toBe(1);

	syncs[0]?.resolve();
	await first;
	await turns();
	expect([syncs.length, ended.length]).toEqual([2, 0]);

	syncs[1]?.resolve();
	await Promise.all(later);
	expect(ended.length).toBe(60);
});

test("a caller gets the error of its own sync only when the one before failed", async () => {
	const { syncs, sync } = slowDisk();
	const first = syncFolder("/videos", sync);
	const failed = expect(first).rejects.toThrow("EIO");
	await turns();
	const second = syncFolder("/videos", sync);
	syncs[0]?.reject(new Error("EIO"));
	await failed;
	await turns();
	syncs[1]?.resolve();
	await second;
});

test("a folder of the disk is synced, and one that does not exist is an error", async () => {
	await syncFolder(tmpdir());
	await expect(syncFolder("/does/not/exist")).rejects.toThrow("ENOENT");
});
