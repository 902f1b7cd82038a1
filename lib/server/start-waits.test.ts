/** A start while the network loses the connections to PostgreSQL. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasLostConnection, postgresErrorAtStart } from "#lib/db/database-errors.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { startChild } from "#test/processes/child.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

const PROCESS = join(import.meta.dirname, "../../test/servers/dashboard-process.ts");

test("a dashboard whose connections to PostgreSQL are forgotten while it starts says what it waits for, and starts with new ones", async () => {
	const dataDir = await temporaryFolder("waits");
	const database = await createPostgresDatabase();
	const network = await startTcpProxy(database);
	onTestFinished(() => network.stop());
	network.stall();
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const env = {
		...Object.fromEntries(inherited),
		PORT: "0",
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_DATABASE_URL: throughProxy(network, database),
		TAPEDECK_SECRET_KEY: "5e".repeat(32),
		TAPEDECK_URL: "http://tapedeck.test",
	};
	const child = startChild(process.execPath, [PROCESS], { env: env as unknown as NodeJS.ProcessEnv });
	onTestFinished(async () => void (await child.stop(10_000)));
	await child.says("waits for PostgreSQL, which did not answer", 60_000);
	network.resume();
	await child.says("listens on", 60_000);
});

test("a lost connection is told apart from a server that refuses, and named at the end of all attempts", () => {
	const coded = (code: string) => Object.assign(new Error("as the system says it"), { code });
	for (const code of ["ETIMEDOUT", "ECONNRESET"]) expect(hasLostConnection(coded(code))).toBe(true);
	for (const code of ["ECONNREFUSED", "28P01", "3D000", "53300"]) expect(hasLostConnection(coded(code))).toBe(false);
	const silent = postgresErrorAtStart(new Error("Query read timeout"));
	expect(String(silent)).toContain(
		"The PostgreSQL database cannot be opened (Query read timeout). Check that the server",
	);
	expect(hasLostConnection(silent)).toBe(true);
	expect(hasLostConnection(postgresErrorAtStart(coded("ECONNREFUSED")))).toBe(false);
});
