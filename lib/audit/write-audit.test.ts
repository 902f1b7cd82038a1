import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "#lib/core/context.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { audit } from "./write-audit.ts";

onOneDatabase((api) => {
	const user = { kind: "user", organizationId: 1, userId: 1, name: "Ada", role: "owner" } as const;
	const ctx = () => contextFor(api().app, user, "203.0.113.7");
	const newest = () =>
		api().app.db.selectFrom("auditEntry").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();

	test("an entry records who, what, when and from where", async () => {
		const target = { kind: "apiKey", id: 3, name: "CI" } as const;
		await audit(ctx(), { action: "api_key.revoked", target, detail: { prefix: "tdk_" } });
		expect(await newest()).toMatchObject({
			organizationId: 1,
			actorKind: "user",
			actorId: 1,
			actorName: "Ada",
			address: "203.0.113.7",
			action: "api_key.revoked",
			targetKind: "apiKey",
			targetId: 3,
			targetName: "CI",
			detail: '{"prefix":"tdk_"}',
		});
	});

	test("an entry is committed or rolled back together with its change", async () => {
		const before = (await newest()).id;
		const failing = inTransaction(ctx(), async (ctx) => {
			await audit(ctx, { action: "job.created" });
			throw new Error("no");
		});
		await expect(failing).rejects.toThrow("no");
		expect((await newest()).id).toBe(before);
	});

	test("entries cannot be changed, nor deleted before they are a year old", async () => {
		const { db } = api().app;
		await audit(ctx(), { action: "job.created" });
		const { id } = await newest();
		const refused = /can only be added to/;
		await expect(db.updateTable("auditEntry").set({ actorName: "Eve" }).execute()).rejects.toThrow(refused);
		await expect(db.deleteFrom("auditEntry").where("id", "=", id).execute()).rejects.toThrow(refused);
		if (api().app.dialect === "postgres") {
			await expect(sql`TRUNCATE "auditEntry"`.execute(db)).rejects.toThrow(refused);
		}
		const old = Date.now() - 366 * 86_400_000;
		await audit({ ...ctx(), clock: { now: () => old } }, { action: "job.cancelled" });
		const removed = await db.deleteFrom("auditEntry").where("at", "<=", old).executeTakeFirst();
		expect(Number(removed.numDeletedRows)).toBe(1);
	});
});
