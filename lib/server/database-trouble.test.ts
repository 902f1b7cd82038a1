/**
 * Another program locks the database, or the disk is full: the caller gets a clear error, and no other call is blocked.
 */

import { chmod, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { loadSecretKey } from "#lib/core/secret-key.ts";
import { postgresErrorAtStart, slowRead } from "#lib/db/database-errors.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { readEnv } from "./env.ts";
import { startServer } from "./start-server.ts";

/**
 * root ignores file permissions. It does not without these capabilities, and unlike another user it may still read a
 * checkout in its own folder.
 */
const WITHOUT_PRIVILEGES = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"];

let api: TestApi;
let runnerId: number;
beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_QUEUED_JOBS: "0" });
	runnerId = (await api.signIn()).runnerId;
});
afterAll(() => api.stop());

/** Locks the database as another program would. @returns a function that releases it */
function lock(dataDir = api.dataDir): () => void {
	const other = new DatabaseSync(join(dataDir, "tapedeck.db"));
	other.exec("BEGIN IMMEDIATE");
	return () => other.close();
}

const createJob = () =>
	api.call("POST", "/v1/jobs", { body: { runnerId, displayId: ":99", stopCondition: "interrupt" } });

test("a write waits while another program locks the database for a moment", async () => {
	const release = lock();
	setTimeout(release, 300);
	expect((await createJob()).status).toBe(201);
});

inExplore(test)(
	"on a disk that takes long for a sync, writes share the wait, and other calls do not wait",
	async () => {
		const file = await open(join(api.dataDir, "tapedeck.db"));
		const files = Object.getPrototypeOf(file) as typeof file;
		await file.close();
		const { datasync } = files;
		const disk = Promise.withResolvers<void>();
		let syncs = 0;
		const slow = vi.spyOn(files, "datasync").mockImplementation(async function (this: typeof file) {
			syncs += 1;
			await disk.promise;
			return datasync.call(this);
		});
		const other = new DatabaseSync(join(api.dataDir, "tapedeck.db"), { readOnly: true });
		try {
			const jobs = () => (other.prepare("select count(*) as jobs from job").get() as { jobs: number }).jobs;
			const before = jobs();
			let answered = 0;
			const writes = Array.from({ length: 30 }, async () => {
				const { status } = await createJob();
				answered += 1;
				return status;
			});
			// Committed, and waiting for the disk.
			await expect.poll(jobs).toBe(before + 30);
			for (let read = 0; read < 20; read += 1) expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
			expect([answered, syncs]).toEqual([0, 1]);
			disk.resolve();
			expect(await Promise.all(writes)).toEqual(Array(30).fill(201));
			// One sync for the first write, and one for all that were committed in the meantime. The dashboard's own work may add
			// one.
			expect(syncs).toBeLessThanOrEqual(3);
		} finally {
			disk.resolve();
			other.close();
			slow.mockRestore();
		}
	},
);

test("a write to a locked database is answered 503 without blocking other calls", async () => {
	const release = lock();
	try {
		const writes = Array.from({ length: 5 }, createJob);
		// Needs neither the database nor much time.
		const other = api.call("GET", "/v1/no-such-endpoint", { token: null });
		// If the event loop were blocked, the writes would be answered first.
		const first = await Promise.race([other, ...writes]);
		expect(first.status).toBe(404);
		for (const answer of await Promise.all(writes)) {
			expect([answer.status, answer.body.code]).toEqual([503, "unavailable"]);
			expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
		}
		expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
	} finally {
		release();
	}
	expect((await createJob()).status).toBe(201);
});

test("a read that took too long is answered 503 with advice, on SQLite and on PostgreSQL", () => {
	const cancelled = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
	for (const error of [slowRead(), cancelled]) {
		const { status, headers, body } = problemAnswer(error, "request", null);
		expect([status, headers["retry-after"]]).toEqual([503, "2"]);
		expect(body.detail).toMatch(/^This takes too long over so much data\. Narrow it/);
	}
});

inExplore(test)("a write to a full database is answered 507", async () => {
	const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(api.app.db);
	await sql.raw(`PRAGMA max_page_count = ${rows[0]?.page_count}`).execute(api.app.db);
	const answers = await Promise.all(Array.from({ length: 300 }, createJob));
	await sql.raw("PRAGMA max_page_count = 1073741823").execute(api.app.db);
	const refused = answers.filter(({ status }) => status !== 201);
	expect(refused.length).toBeGreaterThan(0);
	for (const { status, body } of refused) expect([status, body.code]).toEqual([507, "insufficient_storage"]);
});

/** Starts a separate dashboard, which is expected to exit with an error. @returns its output */
async function errorOutput(
	dataDir: string,
	{ variables = {}, launcher = [] }: { variables?: Record<string, string>; launcher?: string[] } = {},
): Promise<string> {
	const env = { ...process.env, PORT: "0", TAPEDECK_DATA_DIR: dataDir, ...variables };
	const [program = "", ...args] = [...launcher, process.execPath, "server.ts"];
	const child = startChild(program, args, { cwd: join(import.meta.dirname, "../.."), env });
	onTestFinished(async () => void (await child.stop()));
	expect(await child.exited).toBe(1);
	return child.output().trim();
}

inExplore(test).each([
	["directory", ".", 0o555],
	["folder of videos", "videos", 0o555],
	["database", "tapedeck.db", 0o444],
	["unreadable database", "tapedeck.db", 0o000],
	["lock", "dashboard.lock", 0o444],
])("%s: missing write access is reported at startup, with the remedy", async (_what, name, mode) => {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-read-only-"));
	try {
		await mkdir(join(dataDir, "videos"));
		const app = await startServer(readEnv({ PORT: "0", TAPEDECK_DATA_DIR: dataDir, TAPEDECK_LOG_LEVEL: "error" }), {
			appDir: join(dataDir, "no-routes"),
		});
		await app.stop();
		await chmod(join(dataDir, name), mode);
		const launcher = process.getuid?.() === 0 ? WITHOUT_PRIVILEGES : [];
		expect(await errorOutput(dataDir, { launcher })).toMatch(
			new RegExp(`^The data directory is not writable \\(EACCES.+${name}'\\)\\. Give this user write`),
		);
	} finally {
		await chmod(dataDir, 0o700);
		await rm(dataDir, { recursive: true });
	}
});

test("a second dashboard on the same data directory exits with an error that says so", async () => {
	expect(await errorOutput(api.dataDir)).toMatch(/^Another dashboard uses the data directory \S+\. Stop it, or choose/);
});

/** Settings that a dashboard on PostgreSQL requires. */
const SHARED = { TAPEDECK_SECRET_KEY: "5e".repeat(32), TAPEDECK_URL: "http://tapedeck.test" };

inExplore(test)(
	"a dashboard on PostgreSQL without a secret key and a URL says where the key is that it has used so far",
	async () => {
		const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-unshared-"));
		const TAPEDECK_DATABASE_URL = "postgres://tapedeck:secret@127.0.0.1:1/tapedeck";
		try {
			expect(await errorOutput(dataDir, { variables: { TAPEDECK_DATABASE_URL } })).toMatch(
				/^With TAPEDECK_DATABASE_URL, set TAPEDECK_SECRET_KEY, .+: the output of openssl rand -hex 32\.\n.+set TAPEDECK_URL to the address/,
			);
			await loadSecretKey(dataDir);
			expect(await errorOutput(dataDir, { variables: { TAPEDECK_DATABASE_URL } })).toContain(
				`the content of ${join(dataDir, "secret.key")}, which this dashboard has used so far.`,
			);
		} finally {
			await rm(dataDir, { recursive: true });
		}
	},
);

inExplore(test)(
	"a PostgreSQL server without a free connection, and a standby, are reported at startup, with the remedy",
	async () => {
		const coded = (code: string) => Object.assign(new Error("as PostgreSQL says it"), { code });
		expect(String(postgresErrorAtStart(coded("53300")))).toMatch(/no connection left .+ Raise max_connections, or/);
		expect(String(postgresErrorAtStart(coded("25006")))).toMatch(/is a standby in recovery, .+ the primary server/);
		expect(String(postgresErrorAtStart(coded("57P03")))).toMatch(/Wait until it accepts connections/);
	},
);

inExplore(test)(
	"a PostgreSQL server that cannot be reached is reported at startup, with the remedy and without the password",
	async () => {
		const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-no-postgres-"));
		try {
			const TAPEDECK_DATABASE_URL = `postgres://tapedeck:secret@127.0.0.1:${await freePort()}/tapedeck`;
			expect(await errorOutput(dataDir, { variables: { ...SHARED, TAPEDECK_DATABASE_URL } })).toMatch(
				/^The PostgreSQL database cannot be opened \(connect ECONNREFUSED [^()]+\)\. Check that the server is running .+$/,
			);
		} finally {
			await rm(dataDir, { recursive: true });
		}
	},
);

inExplore(test)("a database that another program locks at startup is named, with the remedy", async () => {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-held-"));
	const release = lock(dataDir);
	try {
		const output = await errorOutput(dataDir);
		expect(output).toMatch(
			/^Another program has locked the database \S+tapedeck\.db\. Stop it \(fuser .+\), then start again\.$/,
		);
	} finally {
		release();
		await rm(dataDir, { recursive: true });
	}
});
