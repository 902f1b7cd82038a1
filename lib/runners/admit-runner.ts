/** Whether a runner may sign in, by the limits of its token. */
import { MAX_LABELS } from "@tapedeck/contract/labels.ts";
import type { SignInBody } from "@tapedeck/contract/runner-protocol.ts";
import { matchesPattern, type TokenLimits } from "@tapedeck/contract/token-limits.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { readLimits } from "#lib/lifecycle/token-limits.ts";
import type { RunnerRow } from "./runner-view.ts";

/** The columns of a runner's row that its token determines. */
type Admitted = Pick<RunnerRow, "tokenId" | "limits" | "labels" | "displays" | "virtualDisplays">;
type KnownRunner = Pick<RunnerRow, "id" | "name" | "instanceId" | "tokenId">;

/**
 * A runner that has signed in with this token before, from the same data directory, uses no further place and may sign
 * in after the expiry: its secret `instanceId` proves that it is the same one.
 *
 * @param ctx its database must be a transaction, so that no more runners sign in than the token allows.
 * @param known the runner of this name, if there is one.
 * @throws token_limit with a message for the person who starts the runner.
 */
export async function admitRunner(ctx: Context, body: SignInBody, known: KnownRunner | undefined): Promise<Admitted> {
	const token = await tokenOf(ctx);
	const limits = token === undefined ? null : readLimits(token);
	const tokenId = token === undefined ? null : (token.familyId ?? token.id);
	if (limits === null) {
		return {
			tokenId,
			limits: null,
			labels: JSON.stringify(body.labels ?? {}),
			displays: JSON.stringify(body.displays),
			virtualDisplays: body.virtualDisplays ?? null,
		};
	}
	const isBack = known !== undefined && known.instanceId === body.instanceId;
	if (!isBack && known !== undefined && known.tokenId !== tokenId) {
		throw refused(
			`A runner named "${body.name}" signed in with another token, and one with limits cannot take its place. Use another name, or remove that runner`,
		);
	}
	if (!isBack || known.tokenId !== tokenId) await checkPlace(ctx, { tokenId: tokenId ?? 0, limits, body, known });
	return {
		tokenId,
		limits: token?.limits ?? null,
		labels: JSON.stringify(labelsOf(limits, body)),
		displays: JSON.stringify(allowedDisplays(limits, body.displays)),
		// A token for some displays alone is for no others.
		virtualDisplays: limits.displays === null ? (body.virtualDisplays ?? null) : null,
	};
}

/** The displays that the token's limits allow. */
export const allowedDisplays = <D extends { id: string }>(limits: TokenLimits | null, displays: readonly D[]): D[] =>
	displays.filter(({ id }) => limits?.displays?.includes(id) !== false);

const refused = (sentence: string): TapedeckError => new TapedeckError("token_limit", `${sentence}.`);

async function tokenOf({ db, actor }: Context) {
	if (actor.kind !== "runner") return undefined;
	return db
		.selectFrom("runnerToken")
		.select(["id", "familyId", "limits"])
		.where("id", "=", actor.runnerTokenId)
		.executeTakeFirst();
}

async function checkPlace(
	ctx: Context,
	{
		tokenId,
		limits,
		body,
		known,
	}: { tokenId: number; limits: TokenLimits; body: SignInBody; known: KnownRunner | undefined },
): Promise<void> {
	const { namePattern, enrollUntil, maxRunners } = limits;
	if (namePattern !== null && !matchesPattern(body.name, namePattern)) {
		throw refused(
			`This runner token is for runners named ${namePattern}, not "${body.name}". Set TAPEDECK_RUNNER_NAME to such a name`,
		);
	}
	if (enrollUntil !== null && enrollUntil <= ctx.clock.now()) {
		const what = `This runner token has let no new runner in since ${timestamp(enrollUntil)}`;
		const lost = known === undefined ? "" : `, and "${body.name}" has another data directory than before`;
		throw refused(`${what}${lost}. Create a new one with Runners → Add runner`);
	}
	if (maxRunners === null) return;
	// Allows one sign-in at a time by locking the row of the family's first token, which is never deleted.
	await ctx.db
		.updateTable("runnerToken")
		.set((token) => ({ name: token.ref("name") }))
		.where("id", "=", tokenId)
		.execute();
	const others = await ctx.db
		.selectFrom("runner")
		.select("id")
		.where("tokenId", "=", tokenId)
		.where("removedAt", "is", null)
		.$if(known !== undefined, (runners) => runners.where("id", "<>", known?.id ?? 0))
		.limit(maxRunners)
		.execute();
	if (others.length < maxRunners) return;
	const used = maxRunners === 1 ? "is for one runner, which has" : `is for ${maxRunners} runners, which all have`;
	throw refused(
		`This runner token ${used} signed in. Remove a runner that is no longer needed, or create another token with Runners → Add runner`,
	);
}

/** The runner's own labels and those from its token. */
function labelsOf(limits: TokenLimits, body: SignInBody): Record<string, string> {
	const own = body.labels ?? {};
	for (const [key, value] of Object.entries(limits.labels)) {
		if (own[key] === undefined || own[key] === value) continue;
		throw refused(
			`This runner token gives its runners the label ${key}=${value}, and "${body.name}" has ${key}=${own[key]}. Leave it out of TAPEDECK_LABELS`,
		);
	}
	return Object.fromEntries(Object.entries({ ...limits.labels, ...own }).slice(0, MAX_LABELS));
}
