import { expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { LastSeen } from "./last-seen.ts";

onOneDatabase((api) => {
	const lastSeenOf = async (id: number) => {
		const rows = api().app.db.selectFrom("runner").select("lastSeenAt").where("id", "=", id);
		return (await rows.executeTakeFirstOrThrow()).lastSeenAt;
	};

	test("when runners were last seen is written for all of them at once, and never moves back", async () => {
		const first = await api().signIn("first");
		const second = await api().signIn("second");
		const before = await lastSeenOf(second.runnerId);
		const lastSeen = new LastSeen(api().app);
		const now = Date.now();
		lastSeen.note(first.runnerId, now + 5_000);
		lastSeen.note(second.runnerId, now - 60_000);
		await lastSeen.write();
		expect(await lastSeenOf(first.runnerId)).toBe(now + 5_000);
		expect(await lastSeenOf(second.runnerId)).toBe(before);
	});

	test("the bytes that a runner has not uploaded yet stay as last reported until its next report", async () => {
		const { runnerId } = await api().signIn("behind");
		const { app } = api();
		const written = async (waitingBytes: number | null) => {
			const lastSeen = new LastSeen(app);
			lastSeen.note(runnerId, Date.now(), { until: null, waitingBytes });
			await lastSeen.write();
			const rows = app.db.selectFrom("runner").select("waitingBytes").where("id", "=", runnerId);
			return Number((await rows.executeTakeFirstOrThrow()).waitingBytes);
		};
		expect([await written(5_000_000_000), await written(null), await written(0)]).toEqual([
			5_000_000_000, 5_000_000_000, 0,
		]);
	});

	test("noted values are written within seconds without a call", async () => {
		const { runnerId } = await api().signIn("third");
		const lastSeen = new LastSeen(api().app);
		const at = Date.now() + 30_000;
		lastSeen.note(runnerId, at);
		await expect.poll(() => lastSeenOf(runnerId)).toBe(at);
	});
});
