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

test("a directory and those above it are made, and made again without a fault", async () => {
	const path = join(root, "a", "b", "c");
	await makeDirectory(path);
	await makeDirectory(path);
	expect((await stat(path)).isDirectory()).toBe(true);
});

test("a directory below a place that takes none is an error at once, not an endless try", async () => {
	await expect(makeDirectory("/proc/tapedeck/videos")).rejects.toThrow(/ENOENT/);
});

test("a directory below a file is an error", async () => {
	await writeFile(join(root, "file"), "");
	await expect(makeDirectory(join(root, "file", "x"))).rejects.toThrow(/ENOTDIR/);
});
