/** Runs `tapedeck upgrade` of a runner installed by install.sh, as a user other than root. */

import { appendFile, chmod, chown, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { mountSmallDisk, type SmallDisk } from "#test/processes/small-disk.ts";
import { type InstalledRunner, installOldRunner, OLD_VERSION } from "#test/runners/installed-runner.ts";
import { root } from "#test/stack.ts";

const NOBODY = 65_534;

let api: TestApi;
/** A dashboard whose answers are changed on the way. */
let proxy: Server;
let change: (path: string, answer: Buffer) => Buffer | string;
let disk: SmallDisk;
let runner: InstalledRunner;

beforeAll(async () => {
	api = await startTestApi();
	proxy = createServer(async ({ url = "", headers }, response) => {
		const { authorization = "" } = headers;
		const answer = await fetch(api.url + url, { headers: { authorization } });
		response.writeHead(answer.status).end(change(url, Buffer.from(await answer.arrayBuffer())));
	});
	await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
	disk = await mountSmallDisk(60);
	await chown(disk.path, NOBODY, NOBODY);
	runner = await installOldRunner(api.url, disk.path);
	settings = await readFile(join(runner.folder, "runner.env"), "utf8");
});
afterAll(async () => {
	proxy.close();
	await api.stop();
	await disk.unmount();
});
let settings: string;
beforeEach(() => {
	change = (_path, answer) => answer;
});
afterEach(() => writeFile(join(runner.folder, "runner.env"), settings));

const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const dashboardAt = (url: string) =>
	writeFile(
		join(runner.folder, "runner.env"),
		settings.replace(api.url, () => url),
	);

async function outcome(child: Child): Promise<{ status: number | string; output: string }> {
	return { status: await child.exited, output: child.output() };
}

const contents = async () => (await readdir(runner.folder)).sort();

/** Acts as another version of the dashboard, whose package does not match its script. */
const otherPackage = (path: string, answer: Buffer) =>
	path === "/v1/runner/package" ? Buffer.concat([answer, Buffer.from("more")]) : answer;

const brokenNode = (path: string, answer: Buffer) =>
	path === "/install.sh" ? answer.toString().replace(/"\$new\/bin\/tapedeck" --version/, "false") : answer;

const refusals: [string, () => Promise<unknown>, string | RegExp][] = [
	[
		"a dashboard that cannot be reached",
		() => dashboardAt("http://127.0.0.1:9"),
		/The dashboard at http:\/\/127\.0\.0\.1:9 does not respond \(.+\); check that it is running, then try again\./,
	],
	[
		"another server than a dashboard",
		async () => {
			change = () => "<!doctype html><title>Sign in</title>";
			await dashboardAt(proxyUrl());
		},
		"has no install.sh (status 200)",
	],
	[
		"a package with another checksum",
		async () => {
			change = otherPackage;
			await dashboardAt(proxyUrl());
		},
		"The runner is not what this script expects.",
	],
	[
		"a program that does not start",
		async () => {
			change = brokenNode;
			await dashboardAt(proxyUrl());
		},
		"The runner does not start on this machine",
	],
	["a disk without room", () => disk.fill(10 * 2 ** 20), "MB free, and the runner needs 20 MB."],
	["a folder that may not be written", () => chmod(runner.folder, 0o555), "may not change"],
	["settings that may not be read", () => chmod(join(runner.folder, "runner.env"), 0), "settings can't be read"],
];

inExplore(test).each(refusals)(
	"%s: a sentence, and the old version stays and works",
	async (_what, prepare, sentence) => {
		const before = await contents();
		await prepare();
		try {
			const { status, output } = await outcome(runner.tapedeck("upgrade", "--json"));
			expect([status, output]).toEqual([1, expect.stringContaining('{"error":{"code":')]);
			const { error } = JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? "");
			expect(error.message).toMatch(sentence);
		} finally {
			await disk.empty();
			await chmod(runner.folder, 0o755);
			await chmod(join(runner.folder, "runner.env"), 0o600);
		}
		expect(await contents()).toEqual(before);
		expect(await outcome(runner.tapedeck("--version"))).toEqual({ status: 0, output: `${OLD_VERSION}\n` });
	},
);

test("root is refused when another user owns the installation, and nothing of it changes", async () => {
	if (process.getuid?.() !== 0) throw new Error("Run this test as root: it upgrades the runner of another user.");
	const before = await contents();
	const upgrade = startChild(join(runner.folder, "current/bin/tapedeck"), ["upgrade"]);
	expect(await outcome(upgrade)).toEqual({
		status: 1,
		output: expect.stringMatching(
			/belongs to the user 65534, and root runs no file of another user; run this as the user/,
		),
	});
	expect(await contents()).toEqual(before);
});

test("in a clone, the command says how to upgrade it instead", async () => {
	const { status, output } = await outcome(startChild(join(root, "bin/tapedeck"), ["upgrade"]));
	expect([status, output]).toEqual([
		1,
		expect.stringContaining('run "git pull" and "npm ci --workspace runner --omit=dev"'),
	]);
});

test("an older installation becomes the dashboard's version, with its settings; then there is nothing to do", async () => {
	const { dashboardVersion, folder } = runner;
	await appendFile(join(folder, "runner.env"), "TAPEDECK_LABELS='pool=linux, build=1'\n");
	const kept = await readFile(join(folder, "runner.env"), "utf8");

	const shown = await outcome(runner.tapedeck("upgrade", "--dry-run"));
	expect(shown).toMatchObject({ status: 0, output: expect.stringContaining(`${OLD_VERSION} → ${dashboardVersion}`) });
	expect(await runner.current()).toBe(OLD_VERSION);

	const upgraded = await outcome(runner.tapedeck("upgrade"));
	expect(upgraded).toEqual({
		status: 0,
		output: expect.stringContaining(`Upgraded: ${OLD_VERSION} → ${dashboardVersion}.\n`),
	});
	expect(await outcome(runner.tapedeck("--version"))).toEqual({ status: 0, output: `${dashboardVersion}\n` });
	expect(await readFile(join(folder, "runner.env"), "utf8")).toBe(kept);
	// The previous version stays, for a runner that still runs it.
	const names = [OLD_VERSION, dashboardVersion, "current", "runner.env", "start.sh", "uninstall.sh"];
	expect(await contents()).toEqual(names);

	expect(await outcome(runner.tapedeck("upgrade"))).toEqual({
		status: 0,
		output: `Nothing to do: ${dashboardVersion} is the dashboard's version.\n`,
	});
});
