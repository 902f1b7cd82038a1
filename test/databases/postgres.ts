/** Databases on the PostgreSQL server shared by the tests of a run. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { inject } from "vitest";
import { until } from "../wait.ts";
import { type PostgresState, postgresUrl, TEMPLATE } from "./postgres-server.ts";

const START_MS = 60_000;

/**
 * @param options.empty without tables.
 * @returns the URL of a new database with all tables, without rows. It is deleted at the end of the run.
 */
export async function createPostgresDatabase({ empty = false } = {}): Promise<string> {
	const stateFile = inject("postgresState");
	const read = () => readFile(stateFile, "utf8").catch(() => null);
	const state: PostgresState = JSON.parse(await until(read, "PostgreSQL runs", START_MS));
	if ("error" in state) throw new Error(state.error);
	const name = `test_${randomUUID().replaceAll("-", "")}`;
	const client = new pg.Client({ connectionString: postgresUrl(state.port, "postgres") });
	await client.connect();
	try {
		await client.query(`create database ${name} template ${empty ? "template0" : TEMPLATE}`);
	} finally {
		await client.end();
	}
	return postgresUrl(state.port, name);
}
