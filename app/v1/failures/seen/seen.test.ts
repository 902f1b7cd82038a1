/** The time up to which a person has seen what failed. */

import { expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

onEachDatabase((api) => {
	const db = () => api().app.db;

	test("each person has their own mark, which is only moved by them, in either direction", async () => {
		const owner = await signIn(api());
		expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt: null });
		for (const seenAt of ["2026-11-20T07:00:00.000Z", "2026-11-19T07:00:00.000Z"]) {
			expect((await owner.call("PUT", "/v1/failures/seen", { body: { seenAt } })).body).toEqual({ seenAt });
			expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt });
		}
		const rows = await db().selectFrom("failuresSeen").select(["userId", "organizationId"]).execute();
		expect(rows).toEqual([{ userId: owner.userId, organizationId: 1 }]);
		await owner.call("PUT", "/v1/failures/seen", { body: { seenAt: null } });
		expect((await owner.call("GET", "/v1/failures/seen")).body).toEqual({ seenAt: null });
		for (const body of [{}, { seenAt: "now" }, { seenAt: 5 }]) {
			const answer = await owner.call("PUT", "/v1/failures/seen", { body });
			expect([answer.status, answer.body.errors[0].path]).toEqual([422, "seenAt"]);
		}
	});
});
