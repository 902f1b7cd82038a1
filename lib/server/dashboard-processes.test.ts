/** Two dashboards on one PostgreSQL must have the same secret key. */
import { beforeEach, expect, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";

const KEY = "1a".repeat(32);
const NEW_KEY = "2b".repeat(32);

let url: string;
beforeEach(async () => {
	url = await createPostgresDatabase();
});
const start = (key: string, previous = "") =>
	startTestApi({ TAPEDECK_DATABASE_URL: url, TAPEDECK_SECRET_KEY: key, TAPEDECK_SECRET_KEY_PREVIOUS: previous });

test("a dashboard with another secret key than a running one does not start, and says what to set", async () => {
	const running = await start(KEY);
	await expect(start(NEW_KEY)).rejects.toThrow(/another secret key\. Set TAPEDECK_SECRET_KEY to the same value/);
	const same = await start(KEY);
	await same.stop();
	await running.stop();
});

test("the key is replaced while dashboards run: each is restarted with the new key and the old one as previous", async () => {
	const [first, second] = [await start(KEY), await start(KEY)];
	await first.stop();
	const firstAgain = await start(NEW_KEY, KEY);
	await second.stop();
	const secondAgain = await start(NEW_KEY, KEY);
	for (const api of [firstAgain, secondAgain]) expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
	await firstAgain.stop();
	await secondAgain.stop();
});

test("a dashboard that was stopped does not count", async () => {
	await (await start(KEY)).stop();
	await (await start(NEW_KEY)).stop();
});
