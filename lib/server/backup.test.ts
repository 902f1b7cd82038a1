/** Backups by the operator's commands, run as separate processes next to the running dashboard. */

import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { startChild } from "#test/processes/child.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { backUp, restore } from "./backup.ts";

const SERVER = fileURLToPath(new URL("../../server.ts", import.meta.url));

function command(dataDir: string, args: string[], variables: Record<string, string> = {}) {
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const env = {
		...Object.fromEntries(inherited),
		TAPEDECK_DATA_DIR: dataDir,
		...variables,
	} as unknown as NodeJS.ProcessEnv;
	return startChild(process.execPath, [SERVER, ...args], { env });
}

async function run(dataDir: string, args: string[], variables?: Record<string, string>) {
	const child = command(dataDir, args, variables);
	return { status: await child.exited, text: child.output() };
}

const ON_DISK = { current: null, previous: null };
const sqlite = (dataDir: string) => ({ dataDir, databaseUrl: null, storage: ON_DISK });

/** A dashboard with jobs and a file in its videos folder. */
async function dashboard(): Promise<TestApi> {
	const api = await startTestApi();
	onTestFinished(() => api.stop());
	await writeFile(join(api.dataDir, "videos", "job-1"), Buffer.alloc(3_000_000, 7));
	return api;
}

const newJob = async (api: TestApi, runnerId: number) =>
	(await api.call("POST", "/v1/jobs", { body: { runnerId, displayId: ":99", stopCondition: "interrupt" } })).body.id;

test("a backup made under writes restores every job that was acknowledged before it began", async () => {
	const api = await dashboard();
	const { runnerId } = await api.signIn();
	const before = [await newJob(api, runnerId), await newJob(api, runnerId)];
	const over = new AbortController();
	const writing = (async () => {
		while (!over.signal.aborted) await newJob(api, runnerId);
	})();
	const copy = join(await temporaryFolder("backup"), "copy");
	const made = await run(api.dataDir, ["backup", copy]);
	over.abort();
	await writing;
	expect(made.text).toMatch(/^Backed up to .* \(\d+ files?, 3\.0 MB copied\)\.$/m);
	expect(made.status).toBe(0);

	const dataDir = join(await temporaryFolder("backup"), "restored");
	const restored = await run(dataDir, ["restore", copy]);
	expect(restored.status, restored.text).toBe(0);
	expect(await readFile(join(dataDir, "secret.key"))).toEqual(await readFile(join(api.dataDir, "secret.key")));
	expect((await stat(join(dataDir, "videos", "job-1"))).size).toBe(3_000_000);
	const again = await startTestApi({ TAPEDECK_DATA_DIR: dataDir });
	onTestFinished(() => again.stop());
	for (const id of before) expect((await again.call("GET", `/v1/jobs/${id}`)).status).toBe(200);
	expect((await again.call("GET", "/v1/runners")).body.data).toMatchObject([{ name: "box" }]);
});

test("a second backup into the same directory copies what has changed, and drops what is gone", async () => {
	const api = await dashboard();
	const copy = await temporaryFolder("backup");
	await backUp(sqlite(api.dataDir), copy);
	await rm(join(api.dataDir, "videos", "job-1"));
	await writeFile(join(api.dataDir, "videos", "job-2"), "x");
	expect(await backUp(sqlite(api.dataDir), copy)).toContain("(1 file, 0.0 MB copied)");
	expect(await readdir(join(copy, "videos"))).toEqual(["job-2"]);
});

test("a backup says what is not part of it: a database in PostgreSQL, and videos in a bucket", async () => {
	const api = await dashboard();
	const bucket = { bucket: "videos-of-team", prefix: "", endpoint: null, region: "eu-west-1" };
	const source = { ...sqlite(api.dataDir), databaseUrl: "postgres://localhost/x" };
	expect(await backUp(sqlite(api.dataDir), await temporaryFolder("backup"))).not.toContain("not part of it");
	for (const storage of [
		{ current: bucket, previous: null },
		{ current: null, previous: bucket },
	]) {
		const said = await backUp({ ...source, storage }, await temporaryFolder("backup"));
		expect(said).toContain("The database is in PostgreSQL and not part of it.");
		expect(said).toContain("Videos in the bucket videos-of-team are not part of it.");
	}
});

inExplore(test)(
	"a restore that was killed keeps the dashboard from starting, and finishes when it is run again",
	async () => {
		const api = await dashboard();
		for (let file = 2; file < 200; file += 1) await writeFile(join(api.dataDir, "videos", `job-${file}`), `${file}`);
		const copy = await temporaryFolder("backup");
		await backUp(sqlite(api.dataDir), copy);
		const dataDir = join(await temporaryFolder("backup"), "restored");
		const restoring = command(dataDir, ["restore", copy]);
		await expect.poll(() => readdir(join(dataDir, "videos")).catch(() => []), { interval: 1 }).not.toHaveLength(0);
		restoring.process.kill("SIGKILL");
		expect(await restoring.exited).toBe("SIGKILL");
		await expect(startTestApi({ TAPEDECK_DATA_DIR: dataDir })).rejects.toThrow(/restore .* was interrupted/);
		await restore(sqlite(dataDir), copy);
		expect(await readdir(join(dataDir, "videos"))).toHaveLength(199);
		const again = await startTestApi({ TAPEDECK_DATA_DIR: dataDir });
		await again.stop();
	},
);

inExplore(test)(
	"a backup that was killed before it had copied anything is unfinished as well: restore refuses it, the same command finishes it",
	async () => {
		const api = await dashboard();
		const copy = await temporaryFolder("backup");
		await writeFile(join(copy, "backup.json.new"), "{");
		await expect(restore(sqlite(await temporaryFolder("backup")), copy)).rejects.toThrow("is not complete");
		expect(await backUp(sqlite(api.dataDir), copy)).toContain("Backed up to");
		expect(await readdir(copy)).toEqual(expect.arrayContaining(["backup.json", "tapedeck.db", "videos"]));
	},
);

inExplore(test)("a backup that is killed at any moment is unfinished, or whole", async () => {
	const api = await dashboard();
	for (const waitMs of [0, 150, 300, 450, 600]) {
		const copy = join(await temporaryFolder("backup"), "copy");
		const child = command(api.dataDir, ["backup", copy]);
		await new Promise((resolve) => setTimeout(resolve, waitMs));
		child.process.kill("SIGKILL");
		await child.exited;
		if (existsSync(copy)) {
			const restored = await restore(sqlite(await temporaryFolder("backup")), copy).catch(
				(error: Error) => error.message,
			);
			expect(restored).toMatch(/is not complete|is not a backup|Restored/);
		}
		expect((await run(api.dataDir, ["backup", copy])).text).toContain("Backed up to");
	}
});

inExplore(test)("a backup that was killed is refused by restore, and finishes when it is run again", async () => {
	const api = await dashboard();
	for (let file = 2; file < 200; file += 1) await writeFile(join(api.dataDir, "videos", `job-${file}`), `${file}`);
	const copy = await temporaryFolder("backup");
	const backing = command(api.dataDir, ["backup", copy]);
	await expect.poll(() => readdir(join(copy, "videos")).catch(() => []), { interval: 1 }).not.toHaveLength(0);
	backing.process.kill("SIGKILL");
	await backing.exited;
	const dataDir = join(await temporaryFolder("backup"), "restored");
	await expect(restore(sqlite(dataDir), copy)).rejects.toThrow("is not complete");
	await expect(stat(dataDir)).rejects.toThrow(/ENOENT/);
	await backUp(sqlite(api.dataDir), copy);
	await restore(sqlite(dataDir), copy);
});

test("neither command overwrites what it should not", async () => {
	const api = await dashboard();
	const other = await temporaryFolder("backup");
	await writeFile(join(other, "thesis.txt"), "x");
	const copy = await temporaryFolder("backup");
	await backUp(sqlite(api.dataDir), copy);
	await mkdir(join(other, "empty"));
	const refusedBackups = [
		[api.dataDir, other, "contains other files and no backup"],
		[api.dataDir, join(api.dataDir, "backup"), "contain one another"],
		[api.dataDir, join(other, "thesis.txt"), "is not a directory"],
		[api.dataDir, "/proc/backup", "is not complete: ENOENT"],
		["/nowhere/at/all", join(other, "new"), "/nowhere/at/all does not exist"],
	] as const;
	for (const [dataDir, into, sentence] of refusedBackups) {
		await expect(backUp(sqlite(dataDir), into)).rejects.toThrow(sentence);
	}
	const target = join(other, "new");
	const refusedRestores = [
		[sqlite(api.dataDir), copy, "already contains a dashboard"],
		[sqlite(target), other, "is not a backup"],
		[sqlite(target), join(other, "empty"), "is not a backup"],
		[{ ...sqlite(target), databaseUrl: "postgres://localhost/x" }, copy, "TAPEDECK_DATABASE_URL is set"],
	] as const;
	for (const [into, from, sentence] of refusedRestores) await expect(restore(into, from)).rejects.toThrow(sentence);
	expect(await readdir(other)).toEqual(["empty", "thesis.txt"]);
});
