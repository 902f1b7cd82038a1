/** The npm package of the command, as it is written before it is packed. */
import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { writeCommandPackage } from "./command-package.ts";
import type { ShippedPackage } from "./third-party.ts";

const run = promisify(execFile);

let folder: string;
let bundled: ShippedPackage[];
beforeAll(async () => {
	folder = join(await mkdtemp(join(tmpdir(), "tapedeck-command-")), "package");
	bundled = await writeCommandPackage(root, folder, "1.2.0");
});
afterAll(() => rm(join(folder, ".."), { recursive: true }));

test("the command starts from its file alone, and lists its commands", async () => {
	const { stdout } = await run(join(folder, "dist", "tapedeck.cjs"), ["--help"]);
	expect(stdout).toMatch(/^usage: tapedeck /);
	const { stdout: runner } = await run(join(folder, "dist", "tapedeck.cjs"), ["runner", "--help"]);
	expect(runner).toMatch(/^usage: tapedeck runner/);
});

test("the command writes only into the folder of its package", async () => {
	await run(join(folder, "dist", "tapedeck.cjs"), ["--version"]);
	const files = ["LICENSE", "README.md", "dist", "node_modules", "package.json"];
	expect((await readdir(folder)).sort()).toEqual(files);
	expect(await readdir(join(folder, ".."))).toEqual(["package"]);
});

test("the package is the one that server.json names for the registry of MCP servers, and starts with its arguments", async () => {
	const { name, description, packages } = JSON.parse(await readFile(join(root, "server.json"), "utf8"));
	const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	expect(manifest.mcpName).toBe(name);
	expect(packages).toMatchObject([{ registryType: "npm", identifier: manifest.name }]);
	// The registry refuses more.
	expect(description.length).toBeLessThanOrEqual(100);
	const args = packages[0].packageArguments.map(({ value }: { value: string }) => value);
	const { stdout } = await run(join(folder, "dist", "tapedeck.cjs"), [...args, "--help"]);
	expect(stdout).toMatch(/^usage: tapedeck mcp/);
});

test("every package that the command needs is in the file, and its licence is shipped with it", async () => {
	expect(bundled.map(({ name }) => name)).toEqual(["commander", "sax", "zod"]);
	const text = await readFile(join(folder, "dist", "tapedeck.mjs"), "utf8");
	const imported = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name = ""]) => name);
	expect(imported.length).toBeGreaterThan(5);
	expect(imported.filter((name) => !name.startsWith("node:"))).toEqual([]);
	const licenses = await readFile(join(folder, "dist", "THIRD-PARTY-LICENSES"), "utf8");
	for (const { name, version, license } of bundled) expect(licenses).toContain(`${name} ${version}, ${license}`);
});

test("every script that the command runs is beside its file", async () => {
	const text = await readFile(join(folder, "dist", "tapedeck.mjs"), "utf8");
	const scripts = [...text.matchAll(/new URL\("\.\/([\w.-]+\.sh)", import\.meta\.url\)/g)].map(([, name = ""]) => name);
	expect(scripts.sort()).toEqual(["init.sh", "watchdog.sh"]);
	for (const name of scripts) expect(await readFile(join(folder, "dist", name), "utf8")).toMatch(/^#!\/bin\/sh\n/);
});

test("the process that reads strangers' files is the same file", async () => {
	const output = execFileSync(process.execPath, [join(folder, "dist", "tapedeck.mjs"), "--read-reports"], {
		input: JSON.stringify({ paths: [] }),
		encoding: "utf8",
	});
	expect(output).toBe("done\n");
});

test("under an older Node, the command says which Node it needs and how to get it", async () => {
	const older = join(folder, "dist", "older.cjs");
	await writeFile(
		older,
		'Object.defineProperty(process, "versions", { value: { node: "18.20.4" } });\nrequire("./tapedeck.cjs");\n',
	);
	await chmod(older, 0o755);
	await expect(run(process.execPath, [older, "--version"])).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^tapedeck: This is Node 18\.20\.4, and Tapedeck needs Node 24 or newer\. .*npx /),
	});
});

test("tapedeck up says why npm could not install the dashboard", async () => {
	const home = await temporaryFolder("home");
	// Nothing listens on the port that is reserved for discarding.
	const registry = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
	const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), ...registry };
	const call = run(join(folder, "dist", "tapedeck.cjs"), ["up"], { cwd: home, env });
	await expect(call).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/npm could not install @tapedeck\/dashboard [\d.]+\. Check .*\n[\s\S]*ECONNREFUSED/),
	});
});
