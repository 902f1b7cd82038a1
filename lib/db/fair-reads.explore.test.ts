/**
 * Long reads of one caller do not delay another organization's reads, and delay those of others in their own only
 * briefly.
 */

import { hashPassword } from "better-auth/crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { insertOrganization, insertUser } from "#lib/auth/better-auth/account-rows.ts";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { join, PASSWORD, type Person, signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { isBusyReads } from "./database-errors.ts";

onEachDatabase((api) => {
	let viewer: Person;
	let foreign: Person;
	beforeAll(async () => {
		viewer = await join(api(), await signIn(api()), "viewer");
		const db = accountTables(api().app.db);
		const organizationId = await insertOrganization(db, "Foreign", Date.now());
		const user = { name: "Stranger", email: "stranger@example.com", passwordHash: await hashPassword(PASSWORD) };
		await insertUser(db, { organizationId, role: "owner" }, user, Date.now());
		foreign = await signIn(api(), user.email, PASSWORD);
	});

	/** A read of a fraction of a second, as the viewer's searches in many rows are. */
	const slow = () => {
		const actor = { kind: "user", organizationId: 1, userId: viewer.userId, name: "", role: "viewer" } as const;
		const { reads, dialect } = contextFor(api().app, actor);
		return dialect === "postgres"
			? sql`select pg_sleep(0.5)`.execute(reads)
			: sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select max(i) from n`.execute(
					reads,
				);
	};

	test("thirty slow searches of one viewer hold up neither another organization's nor another person's", async () => {
		let ended = 0;
		const flood = Array.from({ length: 30 }, () =>
			slow()
				.catch((error) => expect(isBusyReads(error)).toBe(true))
				.finally(() => {
					ended += 1;
				}),
		);
		for (const call of [foreign.call, api().call]) {
			for (const list of ["jobs", "recordings"]) {
				expect((await call("GET", `/v1/${list}?q=nightly+-x`)).status).toBe(200);
			}
		}
		// These were served at once, not after the earlier ones had ended.
		expect(ended).toBeLessThan(30);
		await Promise.all(flood);
	});
});
