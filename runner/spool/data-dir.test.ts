import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type DataDir, takeDataDir } from "./data-dir.ts";

let folder: string;
let taken: DataDir[];

beforeEach(async () => {
	folder = await temporaryFolder("data");
	taken = [];
});
afterEach(async () => {
	for (const dataDir of taken) dataDir.release(false);
});

const take = async (path: string) => {
	const dataDir = await takeDataDir(path);
	taken.push(dataDir);
	return dataDir;
};

test("two directories with the same path, as in two containers, can be locked at the same time", async () => {
	const path = join(folder, "data");
	const first = await take(path);
	await rename(path, join(folder, "moved"));
	const second = await take(path);
	expect(second.instanceId).not.toBe(first.instanceId);
});

test("one directory under two paths can be locked only once", async () => {
	const path = join(folder, "data");
	await take(path);
	await symlink(path, join(folder, "link"));
	await expect(take(join(folder, "link"))).rejects.toThrow("Another runner already uses the data directory");
	await rename(path, join(folder, "moved"));
	await expect(take(join(folder, "moved"))).rejects.toThrow("Another runner already uses the data directory");
});

test("a released directory can be locked again", async () => {
	const path = join(folder, "data");
	await mkdir(path);
	(await take(path)).release(false);
	await take(path);
});
