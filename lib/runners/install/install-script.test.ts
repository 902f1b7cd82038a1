/** Runs `curl …/install.sh | sh` on machines in various states, as a user other than root. */

import { existsSync } from "node:fs";
import {
	appendFile,
	chmod,
	chown,
	copyFile,
	link,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	rm,
	symlink,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { type Program, requireProgram } from "#test/processes/programs.ts";
import { mountSmallDisk } from "#test/processes/small-disk.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { until } from "#test/wait.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/** The programs of a small Linux that the script needs, without Node and downloaders. */
const PROGRAMS = [
	...["awk", "cat", "chmod", "df", "dirname", "env", "grep", "gzip", "id", "ldd", "ln", "mkdir", "mktemp", "mv"],
	...["readlink", "rm", "sed", "sh", "sha256sum", "stat", "tail", "tar", "uname"],
];

let api: TestApi;
let script: string;
/** Has this Node, for a user who cannot read this checkout, such as one in the folder of root. */
let nodeFolder: string;
beforeAll(async () => {
	api = await startTestApi();
	script = await (await fetch(`${api.url}/install.sh`)).text();
	nodeFolder = await mkdtemp(join(tmpdir(), "tapedeck-install-node-"));
	await chmod(nodeFolder, 0o755);
	const node = join(nodeFolder, "node");
	await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
});
afterAll(async () => {
	await api.stop();
	await rm(nodeFolder, { recursive: true });
});

let home: string;
beforeEach(async () => {
	home = await temporaryFolder("install-home");
	if (isRoot) await chown(home, NOBODY, NOBODY);
});

/** A folder with links to programs, to be the whole search path. */
async function searchPath(...more: Program[]): Promise<string> {
	const folder = join(home, "programs");
	await mkdir(folder);
	for (const name of PROGRAMS) await symlink(join("/usr/bin", name), join(folder, name));
	for (const name of more) await symlink(requireProgram(name), join(folder, name));
	return folder;
}

/** Pipes the script to sh. */
function run(
	options: string[],
	{ path = process.env.PATH ?? "", text = script, token = TEST_RUNNER_TOKEN, asRoot = false } = {},
): Child {
	const child = startChild("/bin/sh", ["-s", "--", "--token", token, "--name", "$(id) machine", ...options], {
		stdio: ["pipe", "pipe", "pipe"],
		env: { PATH: path, HOME: home, TMPDIR: home } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
		cwd: home,
		...(isRoot && !asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
	});
	child.process.stdin?.end(text);
	return child;
}

const folder = () => join(home, ".local/share/tapedeck-runner");

/** @returns the script's exit status and output. */
async function outcome(child: Child): Promise<{ status: number | string; output: string }> {
	return { status: await child.exited, output: child.output() };
}

const withNode = () => [nodeFolder, process.env.PATH].join(delimiter);

test("installed a second time, it replaces the program and keeps what the command points to and added settings", async () => {
	expect(await outcome(run([], { path: withNode() }))).toMatchObject({ status: 0 });
	await appendFile(join(folder(), "runner.env"), "TAPEDECK_LABELS='pool=linux'\n");
	expect(await outcome(run(["--auto-upgrade"], { path: withNode() }))).toMatchObject({ status: 0 });
	expect(parseEnv(await readFile(join(folder(), "runner.env"), "utf8"))).toEqual({
		TAPEDECK_URL: api.url,
		TAPEDECK_TOKEN: TEST_RUNNER_TOKEN,
		TAPEDECK_RUNNER_NAME: "$(id) machine",
		TAPEDECK_AUTO_UPGRADE: "true",
		TAPEDECK_LABELS: "pool=linux",
	});
	const [version, ...others] = (await readdir(folder())).sort();
	expect(others).toEqual(["current", "runner.env", "start.sh", "uninstall.sh"]);
	expect(version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
	const reported = startChild(join(home, ".local/bin/tapedeck"), ["--version"], {
		env: { ...process.env, PATH: withNode() },
	});
	expect(await outcome(reported)).toEqual({ status: 0, output: `${version}\n` });
	expect((await readdir(home)).filter((name) => name.startsWith("tapedeck-install"))).toEqual([]);
});

inExplore(test)(
	"root runs nothing and follows nothing of the directory's owner, and what is there stays theirs",
	async () => {
		if (!isRoot) throw new Error("Run this test as root: it installs for another user.");
		expect(await outcome(run([], { path: withNode() }))).toMatchObject({ status: 0 });
		const roots = await temporaryFolder("install-root");
		await writeFile(join(roots, "kept"), "root's own");
		const ffmpeg = join(home, "ffmpeg");
		await writeFile(ffmpeg, `#!/bin/sh\nid -u >> ${home}/users\n`, { mode: 0o755 });
		const left = [
			`TAPEDECK_FFMPEG='${ffmpeg}'`,
			`A=$(id -u >> ${home}/shell)`,
			"B=`id -u`; id -u >> shell",
			"export C",
		];
		await appendFile(join(folder(), "runner.env"), `${left.join("\n")}\n`);
		await symlink(join(roots, "kept"), join(folder(), "runner.env.new"));
		const link = join(folder(), "current.new");
		await symlink(roots, link);

		const refused = await outcome(run(["--dir", folder()], { path: withNode(), asRoot: true }));
		expect(refused).toMatchObject({ status: 1, output: expect.stringContaining("runner.env.new") });
		expect(await readFile(join(roots, "kept"), "utf8")).toBe("root's own");
		await rm(join(folder(), "runner.env.new"));
		const options = ["--dir", folder(), "--commands", join(home, "commands"), "--service", "none"];
		const installed = await outcome(run(options, { path: withNode(), asRoot: true }));
		expect(installed).toMatchObject({ status: 0, output: expect.stringContaining("Installed.") });
		expect(new Set((await readFile(join(home, "users"), "utf8")).trim().split("\n"))).toEqual(new Set([`${NOBODY}`]));
		expect(await readdir(roots)).toEqual(["kept"]);
		expect(existsSync(join(home, "shell"))).toBe(false);
		for (const name of await readdir(folder(), { recursive: true })) {
			expect([name, (await lstat(join(folder(), name))).uid]).toEqual([name, NOBODY]);
		}
		const settings = parseEnv(await readFile(join(folder(), "runner.env"), "utf8"));
		expect(settings).toMatchObject({ TAPEDECK_FFMPEG: ffmpeg, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN });
	},
);

test("the command is linked where --commands says, and nowhere else", async () => {
	const options = ["--dir", "runner", "--commands", "programs"];
	expect(await outcome(run(options, { path: withNode() }))).toMatchObject({ status: 0 });
	expect((await readdir(home)).sort()).toEqual(["programs", "runner"]);
	expect(await readlink(join(home, "programs/tapedeck"))).toBe(join(home, "runner/current/bin/tapedeck"));
});

test("--dry-run says what would be done, and changes nothing", async () => {
	const { status, output } = await outcome(run(["--dry-run"]));
	expect([status, output]).toEqual([0, expect.stringContaining(`settings  ${folder()}/runner.env`)]);
	expect(output).toContain("Nothing was changed.");
	expect(await readdir(home)).toEqual([]);
});

test("a script of which only a part arrived does nothing", async () => {
	for (const part of [0.3, 0.6, 0.9, 0.99]) await run([], { text: script.slice(0, script.length * part) }).exited;
	expect(await readdir(home)).toEqual([]);
});

inExplore(test)("wget serves as well as curl", async () => {
	const path = `${await searchPath("wget")}:${nodeFolder}`;
	const { status, output } = await outcome(run([], { path }));
	expect([status, output]).toEqual([0, expect.stringContaining("Installed.")]);
});

inExplore(test)("the token is in no argument of any program", async () => {
	const path = await searchPath();
	await writeFile(
		join(path, "curl"),
		`#!/bin/sh\necho "$@" >> ${home}/arguments\nexec ${requireProgram("curl")} "$@"\n`,
	);
	await chmod(join(path, "curl"), 0o755);
	expect(await outcome(run([], { path: `${path}:${nodeFolder}` }))).toMatchObject({ status: 0 });
	const given = await readFile(join(home, "arguments"), "utf8");
	expect(given).toContain("/v1/runner/package");
	expect(given).not.toContain(TEST_RUNNER_TOKEN);
});

/** A machine on which this program does something else. */
async function withProgram(name: string, script: string, ...more: Program[]): Promise<string> {
	const path = await searchPath(...more);
	await rm(join(path, name), { force: true });
	await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	return path;
}

const musl = () => withProgram("ldd", "echo 'musl libc (x86_64)' >&2; exit 1", "curl");
/** BusyBox's wget reads no settings, so that it would send no token. */
const busyboxWget = () => withProgram("wget", "echo 'BusyBox v1.36.1 (2024-06-10) multi-call binary.' >&2; exit 1");

inExplore(test)("the runner is installed when df does not know the disk", async () => {
	const path = await withProgram("df", 'echo "df: /: can\'t find mount point" >&2; exit 1', "curl");
	const { status, output } = await outcome(run([], { path: `${path}:${nodeFolder}` }));
	expect([status, output]).toEqual([0, expect.stringContaining("Installed.")]);
});

const refusals: [string, () => Promise<Parameters<typeof run>>, string][] = [
	["neither curl nor wget", async () => [[], { path: await searchPath() }], "Neither curl nor wget is installed."],
	["the wget of BusyBox alone", async () => [[], { path: await busyboxWget() }], "Install curl (Alpine: apk add curl)"],
	["musl instead of glibc, without Node", async () => [[], { path: await musl() }], "apk add nodejs"],
	[
		"a token that is not valid",
		async () => [[], { path: withNode(), token: "tdr_not-a-token-0123456789" }],
		"Create a new one",
	],
	[
		"another package than the script's",
		async () => [[], { path: withNode(), text: script.replace(/^PACKAGE_SHA256='./m, "PACKAGE_SHA256='x") }],
		"download the script again",
	],
	[
		"a dashboard that does not answer",
		async () => [[], { path: withNode(), text: script.replace(/^URL=.*/m, "URL='http://127.0.0.1:9'") }],
		"Cannot reach http://127.0.0.1:9/v1/runner/package",
	],
	["a name that would end its quotes", async () => [["--name", "x'; touch y; '"], {}], "cannot contain quotes"],
	["an option that there is not", async () => [["--serivce", "user"], {}], "Unknown option --serivce"],
	["an option without its value", async () => [["--dir"], {}], "--dir needs a value."],
	["a directory that a script could not name", async () => [["--commands", "$(x)"], {}], "may hold letters"],
	["a system service without root", async () => [["--service", "system"], {}], "A system service needs root."],
];

test.each(
	refusals,
)("%s: one sentence with the remedy, and nothing is left behind", async (_what, prepare, sentence) => {
	const [options, more] = await prepare();
	const { status, output } = await outcome(run(options, more));
	expect([status, output]).toEqual([1, expect.stringContaining(sentence)]);
	expect(output.split("\n").filter((line) => line.startsWith("tapedeck: "))).toHaveLength(1);
	expect((await readdir(home)).filter((name) => name !== "programs")).toEqual([]);
});

inExplore(test)("a disk without room is found before anything is downloaded", async () => {
	const disk = await mountSmallDisk(2);
	try {
		if (isRoot) await chown(disk.path, NOBODY, NOBODY);
		const { status, output } = await outcome(run(["--dir", join(disk.path, "runner")], { path: withNode() }));
		expect([status, output]).toEqual([1, expect.stringContaining("MB free, and the runner needs 20 MB.")]);
		expect(await readdir(disk.path)).toEqual([]);
	} finally {
		await disk.unmount();
	}
});

test("the package is under 5 MB and the same for every process; only runners can download it", async () => {
	const headers = { authorization: `Bearer ${TEST_RUNNER_TOKEN}` };
	const bytes = await (await fetch(`${api.url}/v1/runner/package`, { headers })).arrayBuffer();
	expect(bytes.byteLength).toBeLessThan(5_000_000);
	for (const path of ["/v1/runner/package", "/v1/runner/node/x64"]) {
		await until(async () => (await api.call("GET", path, { token: null })).status === 401, "it is refused");
	}
	expect((await api.call("GET", "/v1/runner/node/mips", { token: TEST_RUNNER_TOKEN })).status).toBe(404);
});

test("every command of the package starts: it has all that they import", async () => {
	const headers = { authorization: `Bearer ${TEST_RUNNER_TOKEN}` };
	const bytes = await (await fetch(`${api.url}/v1/runner/package`, { headers })).arrayBuffer();
	const unpack = startChild("tar", ["-xz", "-C", home], { stdio: ["pipe", "pipe", "pipe"] });
	unpack.process.stdin?.end(Buffer.from(bytes));
	expect(await unpack.exited).toBe(0);
	const env = { PATH: withNode(), HOME: home } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv;
	for (const command of ["runner", "run", "record", "spool", "upgrade", "doctor", "jobs", "recordings"]) {
		const started = startChild(join(home, "bin/tapedeck"), [command, "--help"], { env });
		expect(await outcome(started)).toMatchObject({ status: 0, output: expect.stringMatching(/^usage: /) });
	}
});
