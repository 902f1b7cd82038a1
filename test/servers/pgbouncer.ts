/** PgBouncer in transaction mode in front of the tests' PostgreSQL. */
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";
import { requireProgram } from "../processes/programs.ts";

/** PgBouncer refuses to run as root; `nobody` exists on every Linux. */
const NOBODY = 65_534;

/**
 * @param databaseUrl a database on PostgreSQL itself.
 * @returns the URL of the same database through PgBouncer.
 */
export async function startPgBouncer(databaseUrl: string): Promise<{
	url: string;
	/** Ends every connection, and listens again on the same port. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}> {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-pgbouncer-"));
	const port = await freePort();
	const database = new URL(databaseUrl);
	const file = join(dir, "pgbouncer.ini");
	await writeFile(
		file,
		`[databases]
* = host=${database.hostname} port=${database.port} user=${database.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
`,
	);
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await chown(dir, NOBODY, NOBODY);
	const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
	const start = async () => {
		const child = startChild(requireProgram("pgbouncer"), [file], as);
		await child.says("process up");
		return child;
	};
	let child = await start();
	const url = new URL(databaseUrl);
	url.port = String(port);
	return {
		url: url.href,
		restart: async () => {
			await child.stop();
			child = await start();
		},
		stop: async () => {
			await child.stop();
			await rm(dir, { recursive: true, force: true });
		},
	};
}
