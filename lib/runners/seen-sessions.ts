/** Sessions that runners saw on their grid, for the coverage: stored, and swept after `SESSION_DAYS`. */
import { type MissReason, SESSION_DAYS, type SeenSession, SHORT_SESSION } from "@tapedeck/contract/session.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { isOnline, type RunnerRow } from "./runner-view.ts";

const DAY_MS = 86_400_000;
const GAP_DELAY_MS = 30_000;

/**
 * Stores the sessions that a runner saw. Several runners may see the same session: the report of the one that recorded
 * it, or should have, takes precedence.
 * @param shiftMs the delay of the runner's clock behind the dashboard's.
 */
export async function storeSeenSessions(
	ctx: Context,
	runner: RunnerRow,
	sessions: readonly SeenSession[],
	shiftMs: number,
): Promise<void> {
	for (const { sessionId, name, node, startedAt, endedAt, reason } of sessions) {
		const times = {
			startedAt: Date.parse(startedAt) + shiftMs,
			endedAt: endedAt === null ? null : Date.parse(endedAt) + shiftMs,
		};
		const why = reason ?? (await reasonOfOthers(ctx, runner, node));
		// The runner of its node is online, and reports it with its own id if it saw that.
		if (reason === null && why === "recording_failed" && sessionId.startsWith(SHORT_SESSION)) continue;
		await inTransaction(ctx, async (ctx) => {
			const before = await ctx.db
				.selectFrom("gridSession")
				.select("reason")
				.where("organizationId", "=", runner.organizationId)
				.where("sessionId", "=", sessionId)
				.executeTakeFirst();
			await ctx.db
				.insertInto("gridSession")
				.values({
					organizationId: runner.organizationId,
					runnerId: runner.id,
					sessionId,
					name,
					node,
					...times,
					reason: why,
				})
				.onConflict((conflict) =>
					conflict.columns(["organizationId", "sessionId"]).doUpdateSet(({ ref }) => ({
						name: ref("excluded.name"),
						node: ref("excluded.node"),
						endedAt: times.endedAt ?? ref("gridSession.endedAt"),
						...(reason === null ? {} : { reason }),
					})),
				)
				.execute();
			if (before === undefined) {
				// Whether it is recorded may be reported a little later.
				await noteEvents(ctx, "coverage.gap", runner.organizationId, [sessionId], GAP_DELAY_MS);
			}
		});
	}
}

/** The reason why no runner records a node: none ever did, or the one that does is offline. */
async function reasonOfOthers(ctx: Context, { organizationId }: RunnerRow, node: string | null): Promise<MissReason> {
	if (node === null) return "no_runner";
	const last = await ctx.db
		.selectFrom("gridSession")
		.innerJoin("runner", "runner.id", "gridSession.runnerId")
		.select(["runner.sessionId", "runner.lastSeenAt"])
		.where("gridSession.organizationId", "=", organizationId)
		.where("gridSession.node", "=", node)
		.where("gridSession.recorded", "=", 1)
		.where("runner.removedAt", "is", null)
		.orderBy("gridSession.id", "desc")
		.limit(1)
		.executeTakeFirst();
	if (last === undefined) return "no_runner";
	return isOnline(last, ctx.clock.now()) ? "recording_failed" : "runner_offline";
}

export async function sweepSeenSessions(ctx: Pick<Context, "db" | "clock">): Promise<void> {
	const before = ctx.clock.now() - SESSION_DAYS * DAY_MS;
	await ctx.db.deleteFrom("gridSession").where("startedAt", "<", before).execute();
}
