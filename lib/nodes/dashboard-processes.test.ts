/** Two dashboards on one PostgreSQL must have the same secret key, and read each other's videos. */
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";

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

const ALL_ON_DISK = {};
const startWith = (variables: Record<string, string>) =>
	startTestApi({ TAPEDECK_DATABASE_URL: url, TAPEDECK_SECRET_KEY: KEY, ...variables });

async function twoBuckets() {
	setFakeCredentials();
	const [one, other] = [await startFakeS3(), await startFakeS3()];
	onTestFinished(async () => {
		await one.stop();
		await other.stop();
	});
	return { one, other };
}

test("a dashboard that stores videos elsewhere than a running one does not start, and says where each stores them", async () => {
	const { one, other } = await twoBuckets();
	const running = await startWith({ TAPEDECK_STORAGE_URL: one.url });
	const prefixed = one.url.replace("?", "/other?");
	for (const variables of [ALL_ON_DISK, { TAPEDECK_STORAGE_URL: other.url }, { TAPEDECK_STORAGE_URL: prefixed }]) {
		await expect(startWith(variables)).rejects.toThrow(
			/stores videos in s3:\/\/videos-of-tests\/.*, and this one in (file:|s3:.*)\. Set TAPEDECK_STORAGE_URL to the same value/,
		);
	}
	await (await startWith({ TAPEDECK_STORAGE_URL: one.url })).stop();
	await running.stop();
	const onDisk = await startWith(ALL_ON_DISK);
	await expect(startWith({ TAPEDECK_STORAGE_URL: one.url })).rejects.toThrow(
		/stores videos in file:, and this one in s3/,
	);
	await onDisk.stop();
});

test("dashboards move to a bucket and back while they run: first each reads it, then each stores there", async () => {
	const { one } = await twoBuckets();
	const reads = { TAPEDECK_STORAGE_URL_PREVIOUS: one.url };
	const stores = { TAPEDECK_STORAGE_URL: one.url };
	const nodes = [await startWith(ALL_ON_DISK), await startWith(ALL_ON_DISK)];
	onTestFinished(async () => {
		for (const node of nodes) await node.stop();
	});
	for (const variables of [reads, stores, reads, ALL_ON_DISK]) {
		for (const index of nodes.keys()) {
			await nodes[index]?.stop();
			nodes[index] = await startWith(variables);
		}
	}
});
