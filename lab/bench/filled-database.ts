/** A dashboard's data directory with many jobs, on SQLite or PostgreSQL. */
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { noteJobs } from "#lib/db/job-zones.ts";
import { migrateDatabase, openDatabase } from "#lib/db/open.ts";
import { postgresUrl, startPostgres } from "#test/databases/postgres-server.ts";
import { addManyRows, type Place } from "./many-rows.ts";
import { startProcess } from "./server-process.ts";

export const DATABASES = ["SQLite", "PostgreSQL"] as const;
export type DatabaseName = (typeof DATABASES)[number];

export const TOKEN = "tdk_bench_0123456789abcdef";

const SERVERS = join(import.meta.dirname, "servers.ts");
const POSTGRES = ["shared_buffers=1GB", "maintenance_work_mem=512MB", "max_wal_size=4GB"];
/** A folder in which filled databases are kept for the next run, while developing: ten million rows take a while. */
const KEPT = process.env.BENCH_FILLED;

/** Adds a number of rows. */
type Fill = (place: Place, rows: number) => Promise<void>;
type Filled = { variables: Record<string, string>; close(): Promise<void> };

/**
 * @param fill adds the rows; by default jobs.
 * @returns the variables of a dashboard over that many rows, which is not running, and a function that ends it all.
 */
export async function openFilled(database: DatabaseName, rows: number, fill: Fill = addJobs): Promise<Filled> {
	const folder =
		KEPT === undefined
			? await mkdtemp(join(tmpdir(), "tapedeck-bench-"))
			: join(KEPT, `${fill.name}-${database}-${rows}`);
	const dataDir = join(folder, "data");
	await mkdir(dataDir, { recursive: true });
	// PostgreSQL runs as another user, who needs access to its folder within this one.
	await chmod(folder, 0o711);
	const { place, env, stop } = await openPlace(database, folder, dataDir);
	const close = async () => {
		await stop();
		if (KEPT === undefined) await rm(folder, { recursive: true, force: true });
	};
	const variables = { TAPEDECK_DATA_DIR: dataDir, TAPEDECK_BOOTSTRAP_API_KEY: TOKEN, ...env };
	const done = join(folder, "filled");
	if (existsSync(done)) return { variables, close };
	try {
		// Started once to create the tables, then filled from outside while no process uses it.
		await (await startProcess([SERVERS, "dashboard"], variables)).stop();
		const from = performance.now();
		await fill(place, rows);
		console.log(`  filled with ${rows.toLocaleString("en")} in ${Math.round((performance.now() - from) / 1000)} s`);
		await writeFile(done, "");
		return { variables, close };
	} catch (error) {
		await close();
		throw error;
	}
}

const addJobs: Fill = async (place, jobs) => {
	await addManyRows(place, jobs);
	await noteAll("url" in place ? place.url : place.file, jobs);
};

/** Does the work of a running dashboard's first minute, and creates the indexes that were left out during filling. */
async function noteAll(location: string, jobs: number): Promise<void> {
	const opened = openDatabase(location);
	await migrateDatabase(opened);
	await noteJobs(opened.db, jobs);
	await opened.db.destroy();
}

type OpenPlace = { place: Place; env: Record<string, string>; stop(): Promise<void> };

async function openPlace(database: DatabaseName, folder: string, dataDir: string): Promise<OpenPlace> {
	if (database === "SQLite") {
		return { place: { file: join(dataDir, "tapedeck.db") }, env: {}, stop: async () => undefined };
	}
	const cluster = join(folder, "postgres");
	const isNew = !existsSync(cluster);
	await mkdir(cluster, { recursive: true });
	const server = await startPostgres(cluster, POSTGRES);
	if (isNew) {
		const client = new pg.Client({ connectionString: postgresUrl(server.port, "postgres") });
		await client.connect();
		await client.query("create database bench");
		await client.end();
	}
	const url = postgresUrl(server.port, "bench");
	return {
		place: { url },
		env: { TAPEDECK_DATABASE_URL: url, TAPEDECK_SECRET_KEY: "5e".repeat(32), TAPEDECK_URL: "http://tapedeck.test" },
		stop: server.stop,
	};
}
