import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDirectory } from "./make-directory.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "tapedeck-make-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("creates a directory and its parents, and succeeds when they exist", async () => {
	const path = join(root, "a", "b", "c");
	await makeDirectory(path);
	await makeDirectory(path);
	expect((await stat(path)).isDirectory()).toBe(true);
});

test("a path below a directory that cannot hold entries is an error at once, not an endless retry", async () => {
	await expect(makeDirectory("/proc/tapedeck/videos")).rejects.toThrow(/ENOENT/);
});

test("a path below a file is an error", async () => {
	await writeFile(join(root, "file"), "");
	await expect(makeDirectory(join(root, "file", "x"))).rejects.toThrow(/ENOTDIR/);
});
