import type { RotatedToken } from "../../contract/credential.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { notFound, TapedeckError } from "../../core/errors.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { assertMayLetRunnersIn, insertRunnerToken } from "../create-runner-token.ts";
import { forgetCredentials } from "../credential-cache.ts";

/**
 * Replaces a runner token by a new one of the same name. Both work until the grace is over; then whoever still uses
 * the old one is out as after a revocation.
 * @param graceSeconds 0 ends the old one now.
 * @returns the new token, with its secret: the only time that it is shown.
 * @throws forbidden as for making one; not_found; conflict for a token that was rotated before.
 */
export async function rotateRunnerToken(ctx: Context, id: number, graceSeconds: number): Promise<RotatedToken> {
	assertMayLetRunnersIn(ctx);
	const expiresAt = ctx.clock.now() + graceSeconds * 1_000;
	const rotated = await inTransaction(ctx, async (ctx) => {
		const old = await ctx.db
			.updateTable("runnerToken")
			.set({ expiresAt })
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("revokedAt", "is", null)
			.where("expiresAt", "is", null)
			.returning(["id", "name"])
			.executeTakeFirst();
		if (old === undefined) throw await whyNot(ctx, id);
		const fresh = await insertRunnerToken(ctx, old.name);
		const until = new Date(expiresAt).toISOString();
		await audit(ctx, {
			action: "runner_token.rotated",
			target: { kind: "runnerToken", id: old.id, name: old.name },
			detail: { replacedBy: fresh.id, oldEndsAt: until },
		});
		return { ...fresh, replaces: { id: old.id, expiresAt: until } };
	});
	forgetCredentials(ctx.db);
	return rotated;
}

async function whyNot(ctx: Context, id: number): Promise<TapedeckError> {
	const token = await ctx.db
		.selectFrom("runnerToken")
		.select("id")
		.where("id", "=", id)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.where("expiresAt", ">", ctx.clock.now())
		.executeTakeFirst();
	if (token === undefined) return notFound("runner token");
	return new TapedeckError(
		"conflict",
		"This token was rotated before and is about to end. Rotate the one that replaced it.",
	);
}
