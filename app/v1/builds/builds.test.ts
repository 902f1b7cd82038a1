/** Builds and what their recordings came to, by API. */
import type { Build } from "@tapedeck/contract/build.ts";
import { type Insertable, sql, type Updateable } from "kysely";
import { expect, test } from "vitest";
import type { RecordingTable } from "#lib/db/schema.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { listBuilds } from "#lib/recordings/builds.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const COMMON = { jobId: null, name: "Take", state: "ready", contentType: "video/mp4", bytes: 7 } as const;
let count = 0;

type Values = Partial<Omit<Insertable<RecordingTable>, "id" | "labels">> & { build?: string };
function recordingOf({ build, createdAt = BEGIN, ...values }: Values) {
	count += 1;
	const labels = JSON.stringify(build === undefined ? { branch: "main" } : { build, branch: "main" });
	const times = { createdAt, updatedAt: BEGIN };
	return {
		...COMMON,
		organizationId: 1,
		uploadId: `build-${count}`,
		durationSeconds: 1.5,
		...values,
		labels,
		...times,
	};
}

onEachDatabase((api) => {
	const db = () => api().app.db;
	const add = async (values: Values): Promise<number> => {
		const inserted = db().insertInto("recording").values(recordingOf(values)).returning("id");
		return (await inserted.executeTakeFirstOrThrow()).id;
	};
	const change = (id: number, values: Updateable<RecordingTable>) =>
		db().updateTable("recording").set(values).where("id", "=", id).execute();
	const read = (build: string) => api().call("GET", `/v1/builds/${encodeURIComponent(build)}`);

	test("a build counts its recordings by outcome, the black and the live ones, and their length and times", async () => {
		for (const outcome of ["passed", "failed", "failed", "error", "skipped", null] as const) {
			await add({ build: "of all kinds", outcome, createdAt: BEGIN + count * 1_000 });
		}
		const last = BEGIN + 3_600_000;
		await add({ build: "of all kinds", state: "live", durationSeconds: 60, createdAt: last });
		await add({ build: "of all kinds", verdict: "black", createdAt: BEGIN - 1 });
		await add({});
		const { status, body } = await read("of all kinds");
		expect([status, body]).toEqual([
			200,
			{
				...{ build: "of all kinds", recordings: 8, passed: 1, failed: 2, error: 1, skipped: 1, withoutOutcome: 3 },
				...{ black: 1, running: 1, durationSeconds: 10.5 },
				...{ firstAt: new Date(BEGIN - 1).toISOString(), lastAt: new Date(last).toISOString() },
			} satisfies Build,
		]);
	});

	test("the counts follow every change of a recording, and a build without recordings is gone", async () => {
		const id = await add({ build: "moving", state: "live", durationSeconds: 2 });
		await change(id, { durationSeconds: 3 });
		expect((await read("moving")).body).toMatchObject({ recordings: 1, running: 1, durationSeconds: 0 });
		await change(id, { state: "ready", durationSeconds: 4.25, verdict: "black" });
		expect((await read("moving")).body).toMatchObject({
			running: 0,
			black: 1,
			durationSeconds: 4.25,
			withoutOutcome: 1,
		});
		await change(id, { outcome: "failed" });
		await change(id, { outcome: "passed", verdict: "ok" });
		expect((await read("moving")).body).toMatchObject({ passed: 1, failed: 0, black: 0, withoutOutcome: 0 });
		await change(id, { labels: '{"build":"moved"}' });
		expect((await read("moving")).status).toBe(404);
		expect((await read("moved")).body).toMatchObject({ recordings: 1, passed: 1, durationSeconds: 4.25 });
		await change(id, { labels: "{}" });
		expect((await read("moved")).status).toBe(404);
		// Again, later: its times are those of what is there.
		const at = BEGIN + 86_400_000;
		const again = await add({ build: "moved", outcome: "failed", createdAt: at });
		const time = new Date(at).toISOString();
		expect((await read("moved")).body).toMatchObject({
			recordings: 1,
			passed: 0,
			failed: 1,
			firstAt: time,
			lastAt: time,
		});
		await db().deleteFrom("recording").where("id", "=", again).execute();
		expect((await read("moved")).status).toBe(404);
	});

	test("names with slashes, spaces and other writing are read, and nothing else is found by them", async () => {
		for (const build of ["release/1.2 #3", "сборка ☃ %2F", "x".repeat(255)]) {
			await add({ build });
			expect((await read(build)).body).toMatchObject({ build, recordings: 1 });
		}
		expect((await read("release")).status).toBe(404);
		expect((await api().call("GET", "/v1/builds/a%00b")).status).toBe(404);
		expect((await read("x".repeat(256))).status).toBe(404);
	});

	test("the list begins with the newest, in pages that add up, and has nothing of other organizations", async () => {
		const values = { organizationId: 2, recordings: 1, firstAt: BEGIN, lastAt: BEGIN * 2 };
		await db()
			.insertInto("build")
			.values({ ...values, name: "of others" })
			.execute();
		const at = BEGIN + 10 * 86_400_000;
		for (const [build, createdAt] of [
			["p-1", at],
			["p-3", at + 2],
			["p-2: ☃", at + 1],
			["p-2: b", at + 1],
		] as const) {
			await add({ build, createdAt });
		}
		await add({ build: "", createdAt: at + 9 });
		const names: string[] = [];
		let cursor: string | null = null;
		do {
			const { body } = await api().call("GET", `/v1/builds?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
			names.push(...body.data.map(({ build }: Build) => build));
			cursor = body.nextCursor;
		} while (cursor !== null);
		expect(names.slice(0, 4)).toEqual(["p-3", "p-2: ☃", "p-2: b", "p-1"]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).not.toContain("of others");
		expect((await read("of others")).status).toBe(404);
		for (const bad of ["x", Buffer.from("12").toString("base64url"), Buffer.from("1:\0").toString("base64url")]) {
			const { status, body } = await api().call("GET", `/v1/builds?cursor=${bad}`);
			expect([status, body.errors[0].path]).toEqual([422, "cursor"]);
		}
	});

	test("a search finds the builds whose names have all its words, and refuses filters", async () => {
		for (const build of ["E2E / nightly #7", "e2e / nightly #8", "unit #7", "100%_#7"]) await add({ build });
		const find = async (q: string) => {
			const { status, body } = await api().call("GET", `/v1/builds?q=${encodeURIComponent(q)}`);
			return status === 200 ? body.data.map(({ build }: Build) => build).sort() : [status, body.errors[0].path];
		};
		expect(await find("NIGHTLY e2e")).toEqual(["E2E / nightly #7", "e2e / nightly #8"]);
		expect(await find('"nightly #7"')).toEqual(["E2E / nightly #7"]);
		expect(await find("#7 -nightly -unit")).toEqual(["100%_#7"]);
		expect(await find("0%_")).toEqual(["100%_#7"]);
		expect(await find("nowhere")).toEqual([]);
		for (const refused of ["build:7", 'open "quote', "outcome:green", "a".repeat(1_001)]) {
			expect(await find(refused)).toEqual([422, "q"]);
		}
	});

	test("a page of the list reads an index in its order", async () => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const cursor = Buffer.from("5:x").toString("base64url");
		const plans = await db()
			.connection()
			.execute(async (connection) => {
				// Postgres scans tiny tables sequentially, although it would use the index on a large one.
				if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
				const plans = await plansOf(connection, (db) => listBuilds({ ...ctx, db }, { limit: 50, cursor }));
				if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
				return plans.join("\n");
			});
		expect(plans).toMatch("build_by_time");
		expect(plans).not.toMatch(/sort|temp b-tree/i);
	});
});
