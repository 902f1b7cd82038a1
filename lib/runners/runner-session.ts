/** Signing in and out, and which runner a call comes from. */
import { randomUUID } from "node:crypto";
import type { Display } from "../contract/runner.ts";
import type { SignInAnswer, SignInBody } from "../contract/runner-protocol.ts";
import { VERSION } from "../contract/version.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { LEASED_STATUSES } from "../lifecycle/transitions.ts";
import type { RunnerPresence } from "./presence.ts";
import type { RunnerRow } from "./runner-view.ts";

export const publishRunner = (ctx: Context, runner: Pick<RunnerRow, "id" | "organizationId">): void =>
	ctx.facts.publish({ type: "runner", organizationId: runner.organizationId, runnerId: runner.id });

/**
 * Signs a runner in under its name. A runner is its organization and the name that it signs in with: one that comes
 * back, with or without its data directory, has the same id, whatever it is called here by now.
 *
 * One that was removed and comes again is a new runner; only while its recordings are still being delivered, the
 * process with its data directory (`instanceId`) is taken for it, so that it can go on.
 *
 * @throws runner_name_taken when another process is connected under this name.
 */
export async function signInRunner(ctx: Context, presence: RunnerPresence, body: SignInBody): Promise<SignInAnswer> {
	const sessionId = randomUUID();
	const runner = await inTransaction(ctx, async (ctx) => {
		const values = {
			version: body.version,
			instanceId: body.instanceId,
			sessionId,
			displays: JSON.stringify(body.displays),
			lastSeenAt: ctx.clock.now(),
		};
		const leaving = await removedButDelivering(ctx, body.instanceId);
		if (leaving !== undefined) {
			const back = ctx.db.updateTable("runner").set(values).where("id", "=", leaving.id);
			return back.returning(["id", "organizationId"]).executeTakeFirstOrThrow();
		}
		const known = await ctx.db
			.selectFrom("runner")
			.select(["id", "instanceId", "name"])
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("signInName", "=", body.name)
			.executeTakeFirst();
		if (known !== undefined && known.instanceId !== body.instanceId && presence.isLive(known.id)) {
			throw new TapedeckError(
				"runner_name_taken",
				`A runner named "${body.name}" is connected already. Stop it, or start this one under another name with TAPEDECK_RUNNER_NAME.`,
			);
		}
		const identity = { organizationId: ctx.actor.organizationId, signInName: body.name };
		const name = known?.name ?? (await freeName(ctx, body.name));
		return ctx.db
			.insertInto("runner")
			.values({ ...identity, name, createdAt: values.lastSeenAt, ...values })
			.onConflict((conflict) => conflict.columns(["organizationId", "signInName"]).doUpdateSet(values))
			.returning(["id", "organizationId"])
			.executeTakeFirstOrThrow();
	});
	presence.signedIn(runner.id, sessionId);
	publishRunner(ctx, runner);
	return {
		product: "tapedeck",
		version: VERSION,
		runnerId: runner.id,
		organizationId: runner.organizationId,
		sessionId,
		serverTime: new Date(ctx.clock.now()).toISOString(),
		dashboardId: (await ctx.db.selectFrom("dashboard").select("id").executeTakeFirstOrThrow()).id,
	};
}

/** The runner of this data directory that was removed while it recorded, as long as its jobs are not over. */
const removedButDelivering = (ctx: Context, instanceId: string) =>
	ctx.db
		.selectFrom("runner")
		.innerJoin("job", "job.runnerId", "runner.id")
		.select("runner.id")
		.where("runner.organizationId", "=", ctx.actor.organizationId)
		.where("runner.instanceId", "=", instanceId)
		.where("runner.removedAt", "is not", null)
		.where("job.status", "in", LEASED_STATUSES)
		.limit(1)
		.executeTakeFirst();

/** The name itself, or, when another runner was renamed to it, the name with a number. */
async function freeName(ctx: Context, wanted: string): Promise<string> {
	const taken = await ctx.db
		.selectFrom("runner")
		.select("name")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("removedAt", "is", null)
		.execute();
	const names = new Set(taken.map(({ name }) => name));
	if (!names.has(wanted)) return wanted;
	for (let number = 2; ; number++) if (!names.has(`${wanted} (${number})`)) return `${wanted} (${number})`;
}

/** The runner is leaving and says so: offline at once, its jobs keep their lease. */
export async function signOutRunner(ctx: Context, presence: RunnerPresence, sessionId: string): Promise<void> {
	const runner = await runnerOfSession(ctx, sessionId);
	await ctx.db
		.updateTable("runner")
		.set({ sessionId: null, lastSeenAt: ctx.clock.now() })
		.where("id", "=", runner.id)
		.where("sessionId", "=", sessionId)
		.execute();
	presence.signedOut(runner.id);
	publishRunner(ctx, runner);
}

/** @throws session_superseded when the session is not, or no longer, a runner's of the caller's organization. */
export async function runnerOfSession(ctx: Context, sessionId: string): Promise<RunnerRow> {
	const runner = await ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("sessionId", "=", sessionId)
		.executeTakeFirst();
	if (runner === undefined) {
		throw new TapedeckError(
			"session_superseded",
			"This session is over: the runner signed in again, or out. Sign in once more.",
		);
	}
	return runner;
}

/** Renews the lease: the runner was heard from just now. */
export async function touchRunner(ctx: Context, runner: RunnerRow, displays?: Display[]): Promise<void> {
	const text = displays === undefined ? undefined : JSON.stringify(displays);
	await ctx.db
		.updateTable("runner")
		.set({ lastSeenAt: ctx.clock.now(), ...(text === undefined ? {} : { displays: text }) })
		.where("id", "=", runner.id)
		.execute();
	const cameBack = runner.lastSeenAt === null || ctx.clock.now() - runner.lastSeenAt > 10_000;
	if (cameBack || (text !== undefined && text !== runner.displays)) publishRunner(ctx, runner);
}
