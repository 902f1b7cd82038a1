import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { forgetCredentials } from "./credential-cache.ts";

/**
 * Ends a runner token: the next call with it is refused.
 * @throws forbidden for everyone but owners and admins; not_found when the organization has no such one, or no more.
 */
export async function revokeRunnerToken(ctx: Context, id: number): Promise<void> {
	assertMayAdminister(ctx);
	const revoked = await ctx.db
		.updateTable("runnerToken")
		.set({ revokedAt: ctx.clock.now() })
		.where("id", "=", id)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.returning("id")
		.executeTakeFirst();
	if (revoked === undefined) throw notFound("runner token");
	forgetCredentials(ctx.db);
}
