/** `npm run dashboard -- move-database`, as a process of its own. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_EMAIL, TEST_PASSWORD, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { inExplore } from "#test/in-explore.ts";
import { startChild } from "#test/processes/child.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { openDatabase } from "./open.ts";

const SERVER = fileURLToPath(new URL("../../server.ts", import.meta.url));
const SECRET_KEY = "5e".repeat(32);

let dataDir: string;
/** The dashboard's state on SQLite, as a user and a script see it. */
let before: Record<string, unknown>;
let lastJobId: number;

const READS = [
	...["/v1/jobs", "/v1/recordings", "/v1/labels", "/v1/runners", "/v1/storage"],
	...["/v1/recordings?q=build:7", "/v1/jobs/1/events", "/v1/jobs/1/markers", "/v1/recordings/1/markers"],
];

async function read(api: TestApi): Promise<Record<string, unknown>> {
	const answers = READS.map(async (path) => {
		const { status, body } = await api.call("GET", path);
		expect(status, path).toBe(200);
		return [path, body];
	});
	return Object.fromEntries(await Promise.all(answers));
}

/** All but what changes with the time and the disk; a runner that has not called for a while is offline. */
function lasting(answers: Record<string, unknown>): unknown {
	const changing = ["freeBytes", "totalBytes", "lastSeenAt", "status", "posterUrl"];
	return JSON.parse(JSON.stringify(answers), (key, value) =>
		changing.includes(key) || value === "online" || value === "offline" ? undefined : value,
	);
}

const start = async (variables: Record<string, string> = {}): Promise<TestApi> =>
	startTestApi({
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_SECRET_KEY: SECRET_KEY,
		TAPEDECK_URL: "http://tapedeck.test",
		...variables,
	});

async function moveDatabase(url: string | null): Promise<{ status: number | string; text: string }> {
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const child = startChild(process.execPath, [SERVER, "move-database"], {
		env: {
			...Object.fromEntries(inherited),
			TAPEDECK_DATA_DIR: dataDir,
			...(url === null ? {} : { TAPEDECK_DATABASE_URL: url }),
		} as unknown as NodeJS.ProcessEnv,
	});
	return { status: await child.exited, text: child.output() };
}

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "tapedeck-move-database-"));
	const api = await start();
	try {
		const { runnerId } = await api.signIn();
		const create = async (body: object) =>
			(
				await api.call("POST", "/v1/jobs", {
					body: { runnerId, displayId: ":99", stopCondition: "interrupt", ...body },
				})
			).body.id as number;
		const id = await create({ name: "Kasse für 2 Räder 🚲", labels: { build: "7", branch: "main" } });
		await api.call("POST", `/v1/jobs/${id}/markers`, { body: { label: "begins", kind: "note", message: "one\ntwo" } });
		await api.call("POST", `/v1/jobs/${id}/cancel`);
		lastJobId = await create({ name: "deleted" });
		await api.call("POST", `/v1/jobs/${lastJobId}/cancel`);
		const raw = new Uint8Array(await readFile(await makeVideo("recorder.mp4")));
		const uploaded = await api.call("POST", "/v1/recordings?name=Uploaded", {
			raw,
			headers: { "content-type": "video/mp4" },
		});
		expect(uploaded.status).toBe(201);
		const recording = `/v1/recordings/${uploaded.body.id}`;
		await api.call("POST", `${recording}/markers`, { body: { label: "here", offsetSeconds: 0.5 } });
		await api.call("PATCH", recording, { body: { labels: { build: "7" }, outcome: "failed" } });
		before = await read(api);
	} finally {
		await api.stop();
	}
	const database = new DatabaseSync(join(dataDir, "tapedeck.db"));
	database.prepare("delete from job where id = ?").run(lastJobId);
	database.close();
	(before["/v1/jobs"] as { data: { id: number }[] }).data = (
		before["/v1/jobs"] as { data: { id: number }[] }
	).data.filter((job) => job.id !== lastJobId);
});
afterAll(async () => {
	await rm(dataDir, { recursive: true, force: true });
	await removeTestFolder();
});

test("everything is there afterwards: what the API answers, the video, sign-in, and ids that are not used again", async () => {
	const url = await createPostgresDatabase({ empty: true });
	const moved = await moveDatabase(url);
	expect(moved.status, moved.text).toBe(0);
	expect(moved.text).toMatch(/Copied \d+ rows to PostgreSQL\./);
	const api = await start({ TAPEDECK_DATABASE_URL: url });
	try {
		expect(lasting(await read(api))).toEqual(lasting(before));
		expect((await api.call("GET", "/v1/recordings/1/video")).status).toBe(200);
		const signedIn = await fetch(`${api.url}/api/auth/sign-in/email`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: api.url },
			body: JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD }),
		});
		expect(signedIn.status).toBe(200);
		const { runnerId } = await api.signIn();
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt", labels: { build: "7" } };
		expect((await api.call("POST", "/v1/jobs", { body })).body.id).toBe(lastJobId + 1);
		// Triggers keep counts and labels again.
		for (const path of ["recordings", "deleted-recordings"]) {
			expect((await api.call("DELETE", `/v1/${path}/1`)).status).toBe(204);
		}
		// Both markers stay, with 100 bytes for each row.
		const usedBytes = 100 + "beginsone\ntwo".length + 100 + "here".length;
		expect((await api.call("GET", "/v1/storage")).body).toMatchObject({ usedBytes });
	} finally {
		await api.stop();
	}
	const again = await moveDatabase(url);
	expect(again.status).toBe(1);
	expect(again.text).toContain("The PostgreSQL database is not empty");
});

inExplore(test)("a row that PostgreSQL refuses leaves its database empty and the SQLite file as it was", async () => {
	const file = join(dataDir, "tapedeck.db");
	const change = (name: string) => {
		const database = new DatabaseSync(file);
		database.prepare("update job set name = ? where id = 1").run(name);
		database.close();
	};
	change("with a NUL \0 in it");
	onTestFinished(() => change("Kasse für 2 Räder 🚲"));
	const url = await createPostgresDatabase({ empty: true });
	const refused = await moveDatabase(url);
	expect(refused.status).toBe(1);
	expect(refused.text).toMatch(/^Nothing was moved: the table "job" could not be copied \(.+\)\.$/m);
	const { db } = openDatabase(url);
	onTestFinished(() => db.destroy());
	for (const table of ["user", "organization", "job"] as const) {
		expect(await db.selectFrom(table).select("id").execute()).toEqual([]);
	}
	const api = await start();
	expect((await api.call("GET", "/v1/jobs")).body.data).toHaveLength(1);
	await api.stop();
});

inExplore(test)(
	"it refuses without a URL, with a server that cannot be reached, and while the dashboard runs",
	async () => {
		expect((await moveDatabase(null)).text).toContain("Set TAPEDECK_DATABASE_URL");
		const unreachable = await moveDatabase("postgres://tapedeck@127.0.0.1:1/tapedeck");
		expect(unreachable.status).toBe(1);
		expect(unreachable.text.trim().split("\n")).toHaveLength(1);
		expect(unreachable.text).toContain("TAPEDECK_DATABASE_URL");
		const api = await start();
		onTestFinished(() => api.stop());
		const running = await moveDatabase(await createPostgresDatabase({ empty: true }));
		expect(running.text).toContain("Another dashboard uses the data directory");
	},
);
