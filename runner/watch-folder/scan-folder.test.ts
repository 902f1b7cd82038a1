import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { scanFolder } from "./scan-folder.ts";

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("watch");
});

const names = async (excluded: readonly string[] = [], maxEntries?: number) =>
	(await scanFolder(folder, excluded, maxEntries)).map(({ name }) => name).sort();
const put = (name: string | Buffer) =>
	writeFile(typeof name === "string" ? join(folder, name) : Buffer.concat([Buffer.from(`${folder}/`), name]), "video");

test("files are found at any depth, with their size, and hidden ones are left out", async () => {
	await mkdir(join(folder, "a/b"), { recursive: true });
	await mkdir(join(folder, ".cache"));
	for (const name of ["1.mp4", "a/2.WEBM", "a/b/3.pdf", "4.txt", "a/mp4", ".env", ".cache/5.mp4"]) await put(name);
	expect(await names()).toEqual(["1.mp4", "4.txt", "a/2.WEBM", "a/b/3.pdf", "a/mp4"]);
	expect((await scanFolder(folder, [])).find(({ name }) => name === "1.mp4")).toMatchObject({
		bytes: 5,
		changedAt: expect.any(Number),
	});
});

test("links, FIFOs and devices are left out, and no link to a folder is followed", async () => {
	await mkdir(join(folder, "real.mp4"));
	await put("real.mp4/inside.mp4");
	await symlink(join(folder, "real.mp4"), join(folder, "linked"));
	await symlink(join(folder, "real.mp4/inside.mp4"), join(folder, "link.mp4"));
	await symlink("/dev/zero", join(folder, "zero.mp4"));
	await run("mkfifo", [join(folder, "pipe.mp4")]);
	expect(await names()).toEqual(["real.mp4/inside.mp4"]);
});

test("device files are left out", async () => {
	const found = (await scanFolder("/dev", [])).map(({ name }) => name);
	for (const device of ["null", "zero", "full", "tty"]) expect(found).not.toContain(device);
});

test("a file whose name is no UTF-8 or has control characters is found by its bytes", async () => {
	const latin1 = Buffer.from("pr\xfcfung.mp4", "latin1");
	for (const name of [latin1, "two\nlines.mp4", "with space.mp4"]) await put(name);
	const found = await scanFolder(folder, []);
	expect(found.map(({ name }) => name).sort()).toEqual(["pr\uFFFDfung.mp4", "two\nlines.mp4", "with space.mp4"]);
	const [odd] = found.filter(({ name }) => name.startsWith("pr"));
	expect(odd?.path.includes(latin1)).toBe(true);
});

test("a pattern without a slash is for names at any depth, one with a slash for paths", async () => {
	await mkdir(join(folder, "drafts/old"), { recursive: true });
	await mkdir(join(folder, "kept"));
	for (const name of ["a.mp4", "a.tmp.mp4", "drafts/b.mp4", "drafts/old/c.mp4", "kept/d.tmp.mp4", "kept/e.mp4"])
		await put(name);
	expect(await names(["*.tmp.mp4"])).toEqual(["a.mp4", "drafts/b.mp4", "drafts/old/c.mp4", "kept/e.mp4"]);
	expect(await names(["drafts/**"])).toEqual(["a.mp4", "a.tmp.mp4", "kept/d.tmp.mp4", "kept/e.mp4"]);
	expect(await names(["drafts", "kept/*.mp4"])).toEqual(["a.mp4", "a.tmp.mp4"]);
});

test("more files than the most are refused with the remedy, wherever they are", async () => {
	await mkdir(join(folder, "many"));
	for (let count = 0; count < 5; count++) await put(`many/${count}.txt`);
	expect(await names([], 6)).toHaveLength(5);
	await expect(scanFolder(folder, [], 5)).rejects.toThrow(/has more than 5 files and folders\. Watch a smaller folder/);
});

test("a folder that is not there is an error", async () => {
	await expect(scanFolder(join(folder, "gone"), [])).rejects.toThrow("ENOENT");
});
