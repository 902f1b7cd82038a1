import type { CreateRunnerToken, NewRunnerToken } from "@tapedeck/contract/credential.ts";
import type { TokenLimits } from "@tapedeck/contract/token-limits.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { futureTime, timestampOrNull } from "#lib/core/times.ts";
import { makeSecret, prefixOf } from "./credential-secret.ts";
import { NO_LIMITS, runnerTokenView } from "./credential-view.ts";

/**
 * Creates a runner token of the caller's organization, by default without limits.
 * @returns the token with its secret, which is never shown again.
 * @throws validation_failed at `enrollUntil` for a time in the past.
 */
export async function createRunnerToken(ctx: Context, input: CreateRunnerToken): Promise<NewRunnerToken> {
	const limits = limitsOf(ctx, input);
	return inTransaction(ctx, async (ctx) => {
		const token = await insertRunnerToken(ctx, {
			name: input.name,
			limits: limits === null ? null : JSON.stringify(limits),
			familyId: null,
		});
		const target = { kind: "runnerToken", id: token.id, name: token.name } as const;
		const detail = limits === null ? {} : { limits: { ...limits, enrollUntil: timestampOrNull(limits.enrollUntil) } };
		await audit(ctx, { action: "runner_token.created", target, detail });
		return token;
	});
}

/** @returns null if nothing is limited. */
function limitsOf(ctx: Context, { name: _, ...input }: CreateRunnerToken): TokenLimits | null {
	const limits: TokenLimits = {
		maxRunners: input.maxRunners ?? null,
		enrollUntil: futureTime("enrollUntil", input.enrollUntil, ctx.clock.now()),
		namePattern: input.namePattern ?? null,
		labels: input.labels ?? {},
		displays: input.displays ?? null,
		grids: input.grids ?? null,
		capabilities: input.capabilities ?? null,
	};
	return JSON.stringify(limits) === JSON.stringify(NO_LIMITS) ? null : limits;
}

/**
 * Inserts a token with a new secret.
 * @param token.limits JSON of its limits; null for none.
 * @param token.familyId the first of the tokens that it replaces.
 */
export async function insertRunnerToken(
	ctx: Context,
	token: { name: string; limits: string | null; familyId: number | null },
): Promise<NewRunnerToken> {
	const secret = makeSecret("tdr");
	const row = await ctx.db
		.insertInto("runnerToken")
		.values({
			...token,
			organizationId: ctx.actor.organizationId,
			prefix: prefixOf(secret),
			hash: hashSecret(secret),
			createdAt: ctx.clock.now(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	const runnerCount = token.familyId === null ? 0 : await runnersOfToken(ctx, token.familyId);
	return { ...runnerTokenView({ ...row, runnerCount }), secret };
}

/** @returns the number of runners that signed in with a token of this family and were not removed. */
async function runnersOfToken({ db }: Context, familyId: number): Promise<number> {
	const { count } = await db
		.selectFrom("runner")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("tokenId", "=", familyId)
		.where("removedAt", "is", null)
		.executeTakeFirstOrThrow();
	return Number(count);
}
