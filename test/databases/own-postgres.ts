/** A PostgreSQL server of its own, for tests and benches that are not unit tests, or that restart it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrateDatabase, openDatabase } from "#lib/db/open.ts";
import { postgresUrl, startPostgres } from "./postgres-server.ts";

export interface OwnPostgres {
	/** A database with all tables. */
	url: string;
	/** Ends every connection, and listens again on the same port. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

const DATABASE = "several";

/** @param settings as `name=value`, instead of those for tests. */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-own-postgres-"));
	let server = await startPostgres(folder, settings);
	const { port } = server;
	const url = postgresUrl(port, DATABASE);
	const stop = async () => {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const client = new pg.Client({ connectionString: postgresUrl(port, "postgres") });
		await client.connect();
		await client.query(`create database ${DATABASE}`);
		await client.end();
		const opened = openDatabase(url);
		await migrateDatabase(opened);
		await opened.db.destroy();
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		url,
		restart: async () => {
			await server.stop();
			server = await startPostgres(folder, settings, port);
		},
		stop,
	};
}
