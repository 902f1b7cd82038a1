/** A person's sessions: listed and ended. Ending one takes effect on its next call, and on open streams within 5 s. */
import type { AccountSession } from "@tapedeck/contract/account.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import { sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { invalidCursor, readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { accountTables, instantText } from "../better-auth/account-tables.ts";
import { userOf } from "../members/membership.ts";

const SORTING = "lastSeenAt";
/** The latest time of a `Date`. */
const MAX_DATE_MS = 8.64e15;

/**
 * The caller's sessions, most recently used first.
 * @param currentId the session that makes this call.
 * @throws validation_failed at `cursor`.
 */
export async function listSessions(
	ctx: Context,
	currentId: number,
	{ limit, cursor }: PageQuery,
): Promise<Page<AccountSession>> {
	const after = cursor === undefined ? null : readSortedCursor(cursor, SORTING);
	if (after !== null && Math.abs(after.value) > MAX_DATE_MS) throw invalidCursor();
	const rows = await accountTables(ctx.reads)
		.selectFrom("session")
		.selectAll()
		.where("userId", "=", userOf(ctx).userId)
		.where("expiresAt", ">", new Date(ctx.clock.now()).toISOString())
		.$if(after !== null, (sessions) =>
			sessions.where(sql<boolean>`("updatedAt", id) < (${new Date(after?.value ?? 0).toISOString()}, ${after?.id})`),
		)
		.orderBy("updatedAt", "desc")
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return sortedPageFrom(rows, {
		limit,
		sorting: SORTING,
		rankOf: ({ updatedAt }) => new Date(updatedAt).getTime(),
		view: (row) => ({
			id: row.id,
			current: row.id === currentId,
			address: row.ipAddress || null,
			userAgent: row.userAgent || null,
			createdAt: instantText(row.createdAt),
			lastSeenAt: instantText(row.updatedAt),
		}),
	});
}

/** Ends one of the caller's sessions, even the current one. @throws not_found when the caller has no such session. */
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
	ctx.credentials.forget();
}

/** Ends all of the caller's sessions except the current one. */
export async function endOtherSessions(ctx: Context, currentId: number): Promise<void> {
	await inTransaction(ctx, (ctx) => deleteOtherSessions(ctx, currentId));
	ctx.credentials.forget();
}

/** Does the same inside a transaction. Call `credentials.forget` after the commit. */
export async function deleteOtherSessions(ctx: Context, currentId: number): Promise<void> {
	const { userId, name } = userOf(ctx);
	const ended = await accountTables(ctx.db)
		.deleteFrom("session")
		.where("userId", "=", userId)
		.where("id", "<>", currentId)
		.returning("id")
		.execute();
	const target = { kind: "user", id: userId, name } as const;
	await audit(ctx, { action: "session.revoked", target, detail: { count: ended.length } });
}
