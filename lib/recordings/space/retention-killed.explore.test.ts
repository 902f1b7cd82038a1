import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { root } from "#test/stack.ts";

const OLD = 200;
const YOUNG = 10;
const DAY = 86_400_000;
/** A recording's video, poster, storyboard and upload record. */
const ENDINGS = ["", ".jpg", ".frames", ".json"];

const children: Child[] = [];
afterEach(async () => {
	for (const child of children.splice(0)) await child.stop(0);
});

/** The real server in a process of its own, which applies retention all the time. */
async function startSweepingServer(dataDir: string): Promise<Child> {
	const program = `
		import { readEnv } from "#lib/server/env.ts";
		import { APP_DIR, startServer } from "#lib/server/start-server.ts";
		await startServer(readEnv(process.env), { appDir: APP_DIR, sweepMs: 50 });
		console.log("listens");`;
	const env = { ...process.env, PORT: "0", TAPEDECK_DATA_DIR: dataDir, TAPEDECK_LOG_LEVEL: "error" };
	const child = startChild(process.execPath, ["--input-type=module", "--eval", program], { env, cwd: root });
	children.push(child);
	await child.says("listens");
	return child;
}

/** Old and young recordings, each with a job and files that were written when it was created. */
async function addRecordings(dataDir: string): Promise<void> {
	const api = await startTestApi({ TAPEDECK_DATA_DIR: dataDir });
	const { runnerId } = await api.signIn();
	await api.stop();
	const count = OLD + YOUNG;
	inDatabase(dataDir, (database) => {
		database.exec(`insert into retention ("organizationId", "maxAgeDays", "trashHours") values (1, 30, 0)`);
		const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
		const at = `${Date.now()} - case when i <= ${OLD} then ${40 * DAY} else ${2 * DAY} end`;
		database.exec(`${numbers} insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition",
			"stopConditionConfig", status, "createdAt", key)
			select i, 1, ${runnerId}, 'recording', ':99', 'job ' || i, 'interrupt', '{}', 'completed', ${at}, 'key-' || i from n`);
		database.exec(`${numbers} insert into recording (id, "organizationId", "jobId", "runnerId", name, state, "contentType",
			"uploadId", "durationSeconds", bytes, "createdAt", "updatedAt")
			select i, 1, i, ${runnerId}, 'recording ' || i, 'ready', 'video/mp4', 'job-' || i, 5, 100, ${at}, ${at} from n`);
	});
	const writtenAt = (Date.now() - 2 * DAY) / 1_000;
	for (let id = 1; id <= count; id += 1) {
		for (const ending of ENDINGS) {
			const path = join(dataDir, "videos", `job-${id}${ending}`);
			await writeFile(path, "x");
			await utimes(path, writtenAt, writtenAt);
		}
	}
}

function inDatabase<T>(dataDir: string, act: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(join(dataDir, "tapedeck.db"), { timeout: 10_000 });
	try {
		return act(database);
	} finally {
		database.close();
	}
}

const STORED = `recording where "deletedAt" is null`;
const numberOf = (dataDir: string, rows: string): number =>
	inDatabase(dataDir, (database) => Number(database.prepare(`select count(*) as count from ${rows}`).get()?.count));
const filesOf = (dataDir: string) => readdir(join(dataDir, "videos"));

test("a dashboard killed while retention deletes goes on after its restart, and leaves no file", async () => {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-retention-"));
	try {
		await addRecordings(dataDir);
		const killed = await startSweepingServer(dataDir);
		const all = (OLD + YOUNG) * ENDINGS.length;
		while ((await filesOf(dataDir)).length > all - 50 * ENDINGS.length) await sleep(2);
		killed.process.kill("SIGKILL");
		await killed.exited;
		const left = numberOf(dataDir, STORED);
		expect(left).toBeGreaterThan(YOUNG);
		expect(left).toBeLessThan(OLD + YOUNG);

		await startSweepingServer(dataDir);
		await expect.poll(() => filesOf(dataDir)).toHaveLength(YOUNG * ENDINGS.length);
		expect(numberOf(dataDir, `recording where id > ${OLD}`)).toBe(YOUNG);
		expect(numberOf(dataDir, STORED)).toBe(YOUNG);
		// Deletions stay known.
		expect(numberOf(dataDir, `recording where "deletedFor" = 'age' and "purgeAt" is null and bytes = 0`)).toBe(OLD);
		expect(numberOf(dataDir, `"organizationUse" where recordings = ${YOUNG} and bytes = ${YOUNG * 100}`)).toBe(1);
		expect(numberOf(dataDir, `job where "recordingDeletedAt" is not null and id <= ${OLD}`)).toBe(OLD);
		expect(numberOf(dataDir, `job where "recordingDeletedAt" is null`)).toBe(YOUNG);
		// Each was deleted once.
		expect(numberOf(dataDir, `"auditEntry" where action = 'recording.deleted'`)).toBe(OLD);
	} finally {
		for (const child of children.splice(0)) await child.stop(0);
		await rm(dataDir, { recursive: true, force: true });
	}
});
