/** Totals of days, by API and by the sweep that notes stored bytes. */
import { expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { noteStoredBytes, readDailyTotals } from "#lib/recordings/daily-totals.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

const HOUR_MS = 3_600_000;
const NOON = Date.parse("2026-11-20T12:00:00.000Z");
const EMPTY = { tests: 0, failed: 0, flaky: 0, sessions: 0, recordedSessions: 0, storedBytes: null };

onEachDatabase((api) => {
	const db = () => api().app.db;
	const at = (now: number) => ({
		...contextFor(api().app, { kind: "system", organizationId: 1 }),
		clock: { now: () => now },
	});
	const addBuild = (name: string, lastAt: number, tests: number, testsFailed: number, testsFlaky: number) =>
		db()
			.insertInto("build")
			.values({
				...{ organizationId: 1, name, recordings: 0, jobs: 1, tests, testsFailed, testsError: 1, testsFlaky },
				...{ firstAt: lastAt - 30 * HOUR_MS, lastAt },
			})
			.execute();
	const store = (bytes: number) =>
		db()
			.insertInto("organizationUse")
			.values({ organizationId: 1, bytes })
			.onConflict((conflict) => conflict.column("organizationId").doUpdateSet({ bytes }))
			.execute();

	test("each day has the tests of its builds, its sessions and the bytes that were stored at its end", async () => {
		await addBuild("1", NOON - 24 * HOUR_MS, 10, 2, 1);
		await addBuild("2", NOON - 13 * HOUR_MS, 20, 0, 3);
		await addBuild("3", NOON - 11 * HOUR_MS, 5, 1, 0);
		await addBuild("too early", NOON - 24 * 3 * HOUR_MS, 7, 7, 7);
		const runnerId = await addRunner();
		for (const [index, recorded] of [1, 0, 1].entries()) {
			const startedAt = NOON - index * 11 * HOUR_MS;
			const session = { organizationId: 1, sessionId: `s${index}`, runnerId, startedAt, recorded };
			await db()
				.insertInto("gridSession")
				.values({ ...session, reason: null })
				.execute();
		}
		await store(5_000_000_000);
		await noteStoredBytes(at(NOON - 30 * HOUR_MS));
		await store(7_000_000_000);
		await noteStoredBytes(at(NOON - 24 * HOUR_MS));
		await noteStoredBytes(at(NOON));
		await store(8_000_000_000);
		expect(await readDailyTotals(at(NOON), { days: 3 })).toEqual({
			data: [
				{ ...EMPTY, day: "2026-11-18", storedBytes: null },
				{ day: "2026-11-19", tests: 30, failed: 4, flaky: 4, sessions: 1, recordedSessions: 1, storedBytes: 7e9 },
				{ day: "2026-11-20", tests: 5, failed: 2, flaky: 0, sessions: 2, recordedSessions: 1, storedBytes: 8e9 },
			],
		});
	});

	test("notes of stored bytes are deleted when no period reaches back to them", async () => {
		await noteStoredBytes(at(NOON));
		await noteStoredBytes(at(NOON + 24 * 90 * HOUR_MS));
		const days = await db().selectFrom("storageDay").select("day").execute();
		expect(days.map(({ day }) => day)).toEqual([Math.floor(NOON / (24 * HOUR_MS)) + 90]);
	});

	test("a period that is no number from 1 to 90 is refused", async () => {
		for (const days of ["0", "91", "x"]) {
			expect(await api().call("GET", `/v1/daily-totals?days=${days}`)).toMatchObject({
				...{ status: 422, body: { errors: [{ path: "days" }] } },
			});
		}
		const { body } = await api().call("GET", "/v1/daily-totals");
		expect(body.data).toHaveLength(30);
	});

	async function addRunner(): Promise<number> {
		const { id } = await db()
			.insertInto("runner")
			.values({
				...{ organizationId: 1, signInName: "grid", name: "grid", version: "1", displays: "[]", createdAt: NOON },
			})
			.returning("id")
			.executeTakeFirstOrThrow();
		return id;
	}
});
