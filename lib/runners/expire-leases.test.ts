import type { KyselyPlugin, PluginTransformQueryArgs } from "kysely";
import { expect, test } from "vitest";
import { LEASE_SECONDS } from "#lib/contract/runner-protocol.ts";
import { contextFor } from "#lib/server/app-context.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { leaseSweep } from "./expire-leases.ts";

onEachDatabase((api) => {
	const addRunner = (name: string) =>
		api()
			.app.db.insertInto("runner")
			.values({
				organizationId: 1,
				name,
				signInName: name,
				version: "1",
				instanceId: null,
				sessionId: null,
				displays: "[]",
				lastSeenAt: 1,
				createdAt: 1,
			})
			.execute();

	/** Runs one sweep of a dashboard that has been up for longer than a lease. @returns the number of its queries. */
	async function queriesOfSweep(): Promise<number> {
		let queries = 0;
		const counter: KyselyPlugin = {
			transformQuery: ({ node }: PluginTransformQueryArgs) => {
				queries += 1;
				return node;
			},
			transformResult: async ({ result }) => result,
		};
		const ctx = contextFor(api().app, { kind: "system", organizationId: 0 });
		await leaseSweep(Date.now() - 2 * LEASE_SECONDS * 1_000)({ ...ctx, db: ctx.db.withPlugin(counter) });
		return queries;
	}

	test("runners that are offline cost a sweep no queries of their own", async () => {
		const before = await queriesOfSweep();
		for (let index = 0; index < 5; index++) await addRunner(`offline ${index}`);
		expect(await queriesOfSweep()).toBe(before);
	});
});
