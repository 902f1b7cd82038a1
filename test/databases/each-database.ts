/** Runs a suite on the databases that the dashboard supports. */
import { afterAll, beforeAll, describe } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "./postgres.ts";

type Database = "SQLite" | "PostgreSQL";
/** @param api returns the server on the suite's database; available from beforeAll on. */
type Suite = (api: () => TestApi) => void;

/**
 * Runs a suite on SQLite and on PostgreSQL, because its SQL or its locks differ.
 * @param suite declares the tests.
 * @param variables more environment variables of the dashboard.
 */
export function onEachDatabase(suite: Suite, variables: Record<string, string> = {}): void {
	describe.each(["SQLite", "PostgreSQL"] as const)("on %s", (database) => runSuite(database, suite, variables));
}

/**
 * Runs a suite whose SQL does not differ on SQLite, or on PostgreSQL instead if TAPEDECK_TEST_POSTGRES is set, as in the
 * explore lane.
 * @param suite declares the tests.
 * @param variables more environment variables of the dashboard.
 */
export function onOneDatabase(suite: Suite, variables: Record<string, string> = {}): void {
	const database = process.env.TAPEDECK_TEST_POSTGRES ? "PostgreSQL" : "SQLite";
	describe(`on ${database}`, () => runSuite(database, suite, variables));
}

function runSuite(database: Database, suite: Suite, variables: Record<string, string>): void {
	let api: TestApi;
	beforeAll(async () => {
		api = await startTestApi({
			...variables,
			...(database === "PostgreSQL" ? { TAPEDECK_DATABASE_URL: await createPostgresDatabase() } : {}),
		});
	});
	afterAll(() => api.stop());
	suite(() => api);
}
