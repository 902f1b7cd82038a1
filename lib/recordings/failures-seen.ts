/**
 * `/v1/failures/seen`: what a person has seen of what failed, by two kinds of marks: one up to which they have seen all of it,
 * and one for each group that they have looked at since. Each has their own, in each organization.
 */
import type { FailuresSeen, FailuresSeenBody } from "@tapedeck/contract/failure.ts";
import { FAILURE_GROUPINGS, type FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import { isSameScreen, screenHash } from "@tapedeck/contract/test-result.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import type { TestResultRow } from "#lib/test-results/store/result-store.ts";

/** Marks of groups that count; of more, the oldest do not. */
const MAX_MARKS = 1_000;

export async function readFailuresSeen(ctx: Context): Promise<FailuresSeen> {
	const person = personOf(ctx);
	return { seenAt: timestampOrNull(await seenAllAt(ctx, person)) };
}

/** In milliseconds since 1970; null for who never said. */
async function seenAllAt({ db }: Context, { organizationId, userId }: Person): Promise<number | null> {
	const row = await db
		.selectFrom("failuresSeen")
		.select("seenAt")
		.where("organizationId", "=", organizationId)
		.where("userId", "=", userId)
		.executeTakeFirst();
	return row?.seenAt ?? null;
}

type SeenFailure = Pick<TestResultRow, "failedAt" | "cause" | "testId" | "build" | "screen">;

/** Without a mark of all failures, a person has seen those of more than a week ago: the page Failures shows no others then. */
const SEEN_AFTER_MS = 7 * 86_400_000;

/** Whether the caller has seen a failure: all up to then, or those of a group that it is in. API keys have seen none. */
export async function whatIsSeen(ctx: Context): Promise<(failure: SeenFailure) => boolean> {
	if (ctx.actor.kind !== "user") return () => false;
	const seenAt = (await seenAllAt(ctx, ctx.actor)) ?? ctx.clock.now() - SEEN_AFTER_MS;
	const marks = await ctx.db
		.selectFrom("failureGroupSeen")
		.select(["kind", "key", "seenAt"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("userId", "=", ctx.actor.userId)
		.where("seenAt", ">", seenAt)
		.orderBy("seenAt", "desc")
		.limit(MAX_MARKS)
		.execute();
	const byGroup = new Map(marks.map(({ kind, key, seenAt }) => [`${kind} ${key}`, seenAt]));
	const screens = marks.flatMap(({ kind, key, seenAt }) =>
		kind === "screen" ? [{ seenAt, hash: screenHash(key) }] : [],
	);
	const isScreenMarked = (screen: string, failedAt: number) => {
		const shown = screenHash(screen);
		return screens.some(({ seenAt, hash }) => failedAt <= seenAt && isSameScreen(hash, shown));
	};
	return ({ failedAt, cause, testId, build, screen }) => {
		if (failedAt === null || failedAt <= seenAt) return true;
		const isMarked = (kind: FailureGrouping, key: string | null) =>
			key !== null && failedAt <= (byGroup.get(`${kind} ${key}`) ?? 0);
		return (
			isMarked("cause", cause) ||
			isMarked("test", String(testId)) ||
			isMarked("build", build) ||
			(screen !== null && screens.length > 0 && isScreenMarked(screen, failedAt))
		);
	};
}

/** Marks all failures or those of a group as seen, which may be earlier than before; null marks them as unseen. */
export async function setFailuresSeen(ctx: Context, { seenAt, ...groups }: FailuresSeenBody): Promise<FailuresSeen> {
	const person = personOf(ctx);
	const kind = FAILURE_GROUPINGS.find((each) => groups[each] !== undefined);
	if (kind === undefined) await setSeenAll(ctx, person, seenAt);
	else await setSeenGroup(ctx, person, { kind, key: String(groups[kind]) }, seenAt);
	return { seenAt: timestampOrNull(seenAt) };
}

async function setSeenAll(ctx: Context, { organizationId, userId }: Person, seenAt: number | null): Promise<void> {
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
}

async function setSeenGroup(
	ctx: Context,
	{ organizationId, userId }: Person,
	group: { kind: FailureGrouping; key: string },
	seenAt: number | null,
): Promise<void> {
	const all = await seenAllAt(ctx, { organizationId, userId });
	// Failures that were marked together with all others need no mark of their own. Kept until now, because marking all
	// can be undone.
	await ctx.db
		.deleteFrom("failureGroupSeen")
		.where("organizationId", "=", organizationId)
		.where("userId", "=", userId)
		.where(({ or, and, eb }) =>
			or([eb("seenAt", "<=", all ?? 0), and([eb("kind", "=", group.kind), eb("key", "=", group.key)])]),
		)
		.execute();
	if (seenAt === null) return;
	await ctx.db
		.insertInto("failureGroupSeen")
		.values({ organizationId, userId, ...group, seenAt })
		.onConflict((conflict) => conflict.columns(["organizationId", "userId", "kind", "key"]).doUpdateSet({ seenAt }))
		.execute();
}

interface Person {
	organizationId: number;
	userId: number;
}

function personOf({ actor }: Context): Person {
	if (actor.kind === "user") return actor;
	throw new TapedeckError("forbidden", "Only signed-in users can make this call.");
}
