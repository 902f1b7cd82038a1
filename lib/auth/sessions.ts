/** A person's signed-in browsers: seen and ended. What is ended counts from the next call on, open streams within 5 s. */
import type { AccountSession } from "../contract/account.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { accountTables, instantText } from "./better-auth/account-tables.ts";
import { forgetCredentials } from "./credential-cache.ts";
import { userOf } from "./membership.ts";

/** The caller's sessions, the last seen first. @param currentId the one that asks. */
export async function listSessions(ctx: Context, currentId: number): Promise<AccountSession[]> {
	const rows = await accountTables(ctx.db)
		.selectFrom("session")
		.selectAll()
		.where("userId", "=", userOf(ctx).userId)
		.where("expiresAt", ">", new Date(ctx.clock.now()).toISOString())
		.orderBy("updatedAt", "desc")
		.orderBy("id", "desc")
		.execute();
	return rows.map((row) => ({
		id: row.id,
		current: row.id === currentId,
		address: row.ipAddress || null,
		userAgent: row.userAgent || null,
		createdAt: instantText(row.createdAt),
		lastSeenAt: instantText(row.updatedAt),
	}));
}

/** Ends one session of the caller's, this one too. @throws not_found when the caller has no such session. */
export async function endSession(ctx: Context, id: number): Promise<void> {
	const { userId, name } = userOf(ctx);
	await inTransaction(ctx, async (ctx) => {
		const ended = await accountTables(ctx.db)
			.deleteFrom("session")
			.where("id", "=", id)
			.where("userId", "=", userId)
			.returning("id")
			.executeTakeFirst();
		if (ended === undefined) throw notFound("session");
		await audit(ctx, { action: "session.revoked", target: { kind: "user", id: userId, name } });
	});
	forgetCredentials(ctx.db);
}

/** Ends every session of the caller's but this one. @returns how many ended. */
export async function endOtherSessions(ctx: Context, currentId: number): Promise<number> {
	const { userId, name } = userOf(ctx);
	const count = await inTransaction(ctx, async (ctx) => {
		const ended = await accountTables(ctx.db)
			.deleteFrom("session")
			.where("userId", "=", userId)
			.where("id", "<>", currentId)
			.returning("id")
			.execute();
		const target = { kind: "user", id: userId, name } as const;
		await audit(ctx, { action: "session.revoked", target, detail: { count: ended.length } });
		return ended.length;
	});
	forgetCredentials(ctx.db);
	return count;
}
