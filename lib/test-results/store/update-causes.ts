/**
 * Moves failures whose cause was found by older rules to their cause by the current ones, together with what people decided
 * about it: mutes, assignments and what they have seen. If an old cause becomes several, the decision holds for each.
 */
import { type SelectQueryBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import type { Tables } from "#lib/db/schema.ts";
import { CAUSE_RULES, causeOf } from "./cause.ts";

/** Moved in one transaction: meanwhile nothing else is written. */
export const CAUSES_AT_ONCE = 50;

/**
 * Moves the failures of these tests, so that new ones can be compared with them.
 * @param ctx its database must be a transaction.
 */
export async function updateCausesOf(ctx: Context, testIds: readonly number[]): Promise<void> {
	const ofTests = (outdated: Outdated) => {
		const found = outdated.where("testId", "in", testIds);
		return ctx.dialect === "postgres" ? found.forUpdate() : found;
	};
	while ((await updateSomeCauses(ctx, ofTests)) === CAUSES_AT_ONCE);
}

type Outdated = SelectQueryBuilder<
	Tables,
	"testResult",
	{
		id: number;
		organizationId: number;
		cause: string | null;
		name: string;
		file: string | null;
		message: string | null;
		stack: string | null;
	}
>;

/**
 * Moves some failures, the newest first.
 * @param ctx its database must be a transaction.
 * @returns how many; fewer than `CAUSES_AT_ONCE` if there are no more.
 */
export async function updateSomeCauses(
	ctx: Context,
	narrowed: (outdated: Outdated) => Outdated = (outdated) => outdated,
): Promise<number> {
	const outdated = ctx.db
		.selectFrom("testResult")
		.select(["id", "organizationId", "cause", "name", "file", "message", "stack"])
		// Literally, as in the index.
		.where(sql<boolean>`cause is not null`)
		.where("causeRules", "<", CAUSE_RULES)
		.orderBy("id", "desc")
		.limit(CAUSES_AT_ONCE);
	const rows = await narrowed(outdated).execute();
	const moved = rows.map(({ name, ...row }) => ({ ...row, next: causeOf({ ...row, test: name }) }));
	for (const [organizationId, ofOne] of Map.groupBy(moved, (row) => row.organizationId)) {
		// In one order, so that concurrent transactions do not wait for each other in a circle.
		const changes = new Set(ofOne.map(({ cause, next }) => `${cause} ${next}`));
		for (const change of [...changes].sort()) {
			const [before = "", after = ""] = change.split(" ");
			if (before !== after) await copyDecisions(ctx, organizationId, before, after);
		}
	}
	for (const [cause, same] of Map.groupBy(moved, ({ next }) => next)) {
		const ids = same.map(({ id }) => id);
		await ctx.db
			.updateTable("testResult")
			.set({ cause, causeRules: CAUSE_RULES })
			.where("id", "in", ids)
			.where("causeRules", "<", CAUSE_RULES)
			.execute();
	}
	return rows.length;
}

/** Decisions that were made about the new cause already take precedence. */
async function copyDecisions(ctx: Context, organizationId: number, before: string, after: string): Promise<void> {
	const of = sql`where "organizationId" = ${organizationId} and kind = 'cause' and key = ${before}`;
	await sql`insert into "failureTriage"
		("organizationId", kind, key, "assigneeUserId", "mutedUntil", "muteReason", "mutedBy")
		select "organizationId", kind, cast(${after} as text), "assigneeUserId", "mutedUntil", "muteReason", "mutedBy"
		from "failureTriage" ${of} on conflict do nothing`.execute(ctx.db);
	await sql`insert into "failureGroupSeen" ("organizationId", "userId", kind, key, "seenAt")
		select "organizationId", "userId", kind, cast(${after} as text), "seenAt"
		from "failureGroupSeen" ${of} on conflict do nothing`.execute(ctx.db);
}
