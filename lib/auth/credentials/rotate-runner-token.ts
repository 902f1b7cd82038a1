import type { RotatedToken } from "@tapedeck/contract/credential.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { insertRunnerToken } from "./create-runner-token.ts";

/**
 * Replaces a runner token with a new one of the same name and limits. Both work during the grace period; then the old one counts
 * as revoked.
 * @param graceSeconds 0 ends the old one at once.
 * @returns the new token with its secret, which is never shown again.
 * @throws not_found; conflict for a token that was already rotated.
 */
export async function rotateRunnerToken(ctx: Context, id: number, graceSeconds: number): Promise<RotatedToken> {
	const expiresAt = ctx.clock.now() + graceSeconds * 1_000;
	const rotated = await inTransaction(ctx, async (ctx) => {
		const old = await ctx.db
			.updateTable("runnerToken")
			.set({ expiresAt })
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("revokedAt", "is", null)
			.where("expiresAt", "is", null)
			.returning(["id", "name", "limits", "familyId"])
			.executeTakeFirst();
		if (old === undefined) throw await whyNot(ctx, id);
		const fresh = await insertRunnerToken(ctx, {
			name: old.name,
			limits: old.limits,
			familyId: old.familyId ?? old.id,
		});
		const until = timestamp(expiresAt);
		await audit(ctx, {
			action: "runner_token.rotated",
			target: { kind: "runnerToken", id: old.id, name: old.name },
			detail: { replacedBy: fresh.id, oldEndsAt: until },
		});
		return { ...fresh, replaces: { id: old.id, expiresAt: until } };
	});
	ctx.credentials.forget();
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
		"This token was already rotated and expires soon. Rotate the token that replaced it.",
	);
}
