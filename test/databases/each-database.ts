/** Runs one suite on SQLite and on PostgreSQL. */
import { afterAll, beforeAll, describe } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "./postgres.ts";

/**
 * @param suite declares the tests; `api()` is the server on their database, available from beforeAll on.
 * @param variables more environment variables of the dashboard.
 */
export function onEachDatabase(suite: (api: () => TestApi) => void, variables: Record<string, string> = {}): void {
	describe.each(["SQLite", "PostgreSQL"] as const)("on %s", (database) => {
		let api: TestApi;
		beforeAll(async () => {
			api = await startTestApi({
				...variables,
				...(database === "PostgreSQL" ? { TAPEDECK_DATABASE_URL: await createPostgresDatabase() } : {}),
			});
		});
		afterAll(() => api.stop());
		suite(() => api);
	});
}
