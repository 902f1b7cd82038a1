/** `/v1/failures/seen`: up to when a person has seen what failed. Each has their own, in each organization. */
import type { FailuresSeen } from "@tapedeck/contract/failure.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";

export async function readFailuresSeen(ctx: Context): Promise<FailuresSeen> {
	personOf(ctx);
	return { seenAt: timestampOrNull(await failuresSeenAt(ctx)) };
}

/** In milliseconds since 1970; null for an API key, and for who never said. */
export async function failuresSeenAt({ actor, db }: Context): Promise<number | null> {
	if (actor.kind !== "user") return null;
	const row = await db
		.selectFrom("failuresSeen")
		.select("seenAt")
		.where("organizationId", "=", actor.organizationId)
		.where("userId", "=", actor.userId)
		.executeTakeFirst();
	return row?.seenAt ?? null;
}

/** @param seenAt milliseconds since 1970, also earlier than before; null forgets it. */
export async function setFailuresSeen(ctx: Context, seenAt: number | null): Promise<FailuresSeen> {
	const { organizationId, userId } = personOf(ctx);
	if (seenAt === null) {
		await ctx.db
			.deleteFrom("failuresSeen")
			.where("organizationId", "=", organizationId)
			.where("userId", "=", userId)
			.execute();
	} else {
		await ctx.db
			.insertInto("failuresSeen")
			.values({ organizationId, userId, seenAt })
			.onConflict((conflict) => conflict.columns(["organizationId", "userId"]).doUpdateSet({ seenAt }))
			.execute();
	}
	return { seenAt: timestampOrNull(seenAt) };
}

function personOf({ actor }: Context): { organizationId: number; userId: number } {
	if (actor.kind === "user") return actor;
	throw new TapedeckError("forbidden", "Only signed-in users can make this call.");
}
