/** A dashboard whose machine's clock, or PostgreSQL's, jumps by 40 days while it runs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recording } from "@tapedeck/contract/recording.ts";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cookieOf } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_EMAIL, TEST_PASSWORD } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { settableClock } from "#test/displays/clock.ts";
import { startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

const JUMP_SECONDS = 40 * 86_400;

let video: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	video = new Uint8Array(await readFile(await makeVideo("recorder.mp4")));
});
afterAll(removeTestFolder);

const HEADERS = { authorization: `Bearer ${TEST_API_KEY}` };

interface Scene {
	url: string;
	setClock(aheadSeconds: number): Promise<unknown>;
}

const get = async (url: string) => (await fetch(url, { headers: HEADERS })).json();
const stored = async (url: string): Promise<number[]> =>
	(await get(`${url}/v1/recordings?limit=100`)).data
		.map(({ id }: Recording) => id)
		.sort((a: number, b: number) => a - b);
const jumped = async (url: string) => (await get(`${url}/v1/retention`)).clockJump !== null;

async function upload(url: string): Promise<number> {
	const headers = { ...HEADERS, "content-type": "video/mp4" };
	const answer = await fetch(`${url}/v1/recordings?name=Kept`, { method: "POST", headers, body: video });
	return ((await answer.json()) as Recording).id;
}

/** Begins an upload without any playable data yet. @returns a function that continues it. */
async function beginUpload(url: string): Promise<() => Promise<number>> {
	const tus = { ...HEADERS, "tus-resumable": "1.0.0" };
	const begun = await fetch(`${url}/v1/uploads`, {
		method: "POST",
		headers: { ...tus, "upload-length": `${video.length}`, "upload-metadata": metadata({ filetype: "video/mp4" }) },
	});
	const path = new URL(begun.headers.get("location") ?? "", url).pathname;
	const patch = async (offset: number, body: Uint8Array<ArrayBuffer>) => {
		const headers = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": `${offset}` };
		return (await fetch(url + path, { method: "PATCH", headers, body })).status;
	};
	expect(await patch(0, video.slice(0, 300))).toBe(204);
	return () => patch(300, video.slice(300));
}

/** Retention of this instance may delete only by its limit on bytes, which shows that its sweeps run. */
async function survivesJump({ url, setClock }: Scene): Promise<void> {
	const send = (method: string, path: string, body: object, cookie = "") =>
		fetch(url + path, {
			method,
			headers: { "content-type": "application/json", origin: url, cookie },
			body: JSON.stringify(body),
		});
	const setLimit = async (maxBytes: number | null) => {
		// The jump ends sessions.
		const signIn = await send("POST", "/api/auth/sign-in/email", { email: TEST_EMAIL, password: TEST_PASSWORD });
		const policy = { maxAgeDays: 30, maxDiskPercent: null, maxBytes };
		expect((await send("PUT", "/v1/retention", policy, cookieOf(signIn))).status).toBe(200);
	};
	await setLimit(null);
	const [first, ...others] = [await upload(url), await upload(url), await upload(url)];
	const goOn = await beginUpload(url);
	await setClock(JUMP_SECONDS);
	await until(() => jumped(url), "it notices the jump", 90_000);
	await setLimit(Math.ceil(video.length * 2.5));
	await until(async () => !(await stored(url)).includes(first ?? 0), "a sweep applies the limit on bytes");
	const kept = [...others, expect.any(Number)];
	expect(await stored(url)).toEqual(kept);
	await setClock(0);
	await until(async () => !(await jumped(url)), "it notices that the clock is back", 90_000);
	// The whole upload would be beyond the limit.
	await setLimit(null);
	expect(await goOn()).toBe(204);
	expect(await stored(url)).toEqual(kept);
}

test("a machine's clock that jumps by 40 days deletes nothing by age, and no upload in progress", async () => {
	const folder = await temporaryFolder("clock");
	const clock = await settableClock(folder);
	const program = `
		import { readEnv } from "#lib/server/env.ts";
		import { APP_DIR, startServer } from "#lib/server/start-server.ts";
		await startServer(readEnv(process.env), { appDir: APP_DIR, sweepMs: 50 });
		console.log("listens");`;
	const port = await freePort();
	const env = {
		...process.env,
		...clock.env,
		PORT: String(port),
		TAPEDECK_DATA_DIR: join(folder, "data"),
		TAPEDECK_LOG_LEVEL: "warn",
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_BOOTSTRAP_EMAIL: TEST_EMAIL,
		TAPEDECK_BOOTSTRAP_PASSWORD: TEST_PASSWORD,
		TAPEDECK_BOOTSTRAP_API_KEY: TEST_API_KEY,
	};
	const child = startChild(process.execPath, ["--input-type=module", "--eval", program], { env, cwd: root });
	onTestFinished(async () => void (await child.stop(10_000)));
	await child.says("listens", 60_000);
	await survivesJump({ url: `http://127.0.0.1:${port}`, setClock: clock.set });
	expect(child.output()).toContain("The clock has jumped ahead");
});

test("PostgreSQL's clock that jumps by 40 days deletes nothing by age, and no upload in progress", async () => {
	const url = await createPostgresDatabase();
	const admin = new pg.Client({ connectionString: url });
	await admin.connect();
	onTestFinished(() => admin.end());
	await admin.query(`create table "setClock" (seconds bigint not null)`);
	await admin.query(`insert into "setClock" values (0)`);
	await admin.query(`create function public.clock_timestamp() returns timestamptz language sql volatile as
		'select pg_catalog.clock_timestamp() + (select seconds from public."setClock") * interval ''1 second'''`);
	await admin.query(`do $$ begin execute format('alter database %I set search_path = public, pg_catalog',
		current_database()); end $$`);
	const api = await startTestApi({ TAPEDECK_DATABASE_URL: url }, { sweepMs: 50, rules: { measureClockMs: 500 } });
	onTestFinished(() => api.stop());
	const setClock = (seconds: number) => admin.query(`update "setClock" set seconds = $1`, [seconds]);
	await survivesJump({ url: api.url, setClock });
});
