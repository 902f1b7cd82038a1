import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { RunnerDownloads } from "./runner-downloads.ts";

const path = process.env.PATH;
const sha256Of = async (file: string) =>
	createHash("sha256")
		.update(await readFile(file))
		.digest("hex");
afterEach(() => void vi.unstubAllEnvs());

test("a package that could not be made is made at the next request, and then only once", async () => {
	const downloads = new RunnerDownloads();
	vi.stubEnv("PATH", "/nonexistent");
	await expect(downloads.runnerPackage()).rejects.toMatchObject({ code: "ENOENT" });
	vi.stubEnv("PATH", path);
	const made = await downloads.runnerPackage();
	expect(made.bytes.length).toBeGreaterThan(10_000);
	vi.stubEnv("PATH", "/nonexistent");
	expect(await downloads.runnerPackage()).toBe(made);
});

test("Node is packed once, with its licence, comes whole to many at the same time, and leaves no file", async () => {
	const temporary = await temporaryFolder("downloads-test");
	vi.stubEnv("TMPDIR", temporary);
	const downloads = new RunnerDownloads();
	const opened = await Promise.all(Array.from({ length: 5 }, () => downloads.openNode(process.arch)));
	vi.stubEnv("PATH", "/nonexistent");
	// A download that is never read does not delay the others.
	const bodies = [...opened.slice(1), await downloads.openNode(process.arch)].map((node) => new Response(node?.body));
	const archives = await Promise.all(bodies.map(async (body) => Buffer.from(await body.arrayBuffer())));
	vi.stubEnv("PATH", path);
	for (const archive of archives) expect(archive.equals(archives[0] ?? Buffer.of())).toBe(true);
	expect(await readdir(temporary)).toEqual([]);

	const file = join(temporary, "node.tar.gz");
	await writeFile(file, archives[0] ?? "");
	const run = promisify(execFile);
	expect((await run("tar", ["-tzf", file])).stdout.split("\n").sort()).toEqual(["", "LICENSE", "node"]);
	await run("tar", ["-xzf", file, "-C", temporary]);
	expect((await run(join(temporary, "node"), ["--version"])).stdout.trim()).toBe(process.version);
	expect(await readFile(join(temporary, "LICENSE"), "utf8")).toContain("Node.js is licensed for use as follows");
});

inExplore(test)(
	"Node is packed whole while hard links to it come and go, as backups and other installations make them",
	async () => {
		// On the same file system, because links cannot cross file systems.
		await mkdir(join(root, ".cache"), { recursive: true });
		const folder = await mkdtemp(join(root, ".cache", "links-"));
		onTestFinished(() => rm(folder, { recursive: true }));
		const linked = join(folder, "node");
		const links = setInterval(() => {
			linkSync(process.execPath, linked);
			rmSync(linked);
		}, 10);
		onTestFinished(() => clearInterval(links));
		const node = await new RunnerDownloads().openNode(process.arch);
		clearInterval(links);
		const archive = Buffer.from(await new Response(node?.body).arrayBuffer());
		expect(archive.length).toBe(node?.bytes);
		const file = join(folder, "node.tar.gz");
		await writeFile(file, archive);
		await promisify(execFile)("tar", ["-xzf", file, "-C", folder]);
		expect(await sha256Of(linked)).toBe(await sha256Of(process.execPath));
	},
);

inExplore(test)(
	"a download of Node that is given up midway leaves the others whole, and what other files are open is not sent",
	async () => {
		const downloads = new RunnerDownloads();
		const read = async () =>
			Buffer.from(await new Response((await downloads.openNode(process.arch))?.body).arrayBuffer());
		const whole = await read();
		const before = (await downloads.openNode(process.arch))?.body.getReader();
		await before?.read();
		const given = (await downloads.openNode(process.arch))?.body.getReader();
		await given?.read();
		await given?.cancel();
		await (await downloads.openNode(process.arch))?.body.cancel();
		// It would get the number of a descriptor that had been closed.
		const other = await open(import.meta.filename);
		onTestFinished(() => other.close());
		expect((await read()).equals(whole)).toBe(true);
		expect((await before?.read())?.done).toBe(false);
		await before?.cancel();
	},
);
