/** Signing runners in and out, and resolving a request's runner. */
import { randomUUID } from "node:crypto";
import { type JobStatus, LEASED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Display } from "@tapedeck/contract/runner.ts";
import type { SignInAnswer, SignInBody } from "@tapedeck/contract/runner-protocol.ts";
import { VERSION } from "@tapedeck/contract/version.ts";
import { type SqlBool, sql } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { prepared } from "#lib/db/prepared.ts";
import { recordingSettings } from "#lib/lifecycle/labels.ts";
import { readLimits } from "#lib/lifecycle/token-limits.ts";
import { admitRunner, allowedDisplays } from "./admit-runner.ts";
import type { LastSeen, Poll } from "./last-seen.ts";
import type { RunnerPresence } from "./presence.ts";
import { isForThisRunner, type RunnerRow } from "./runner-view.ts";

export const publishRunner = (ctx: Context, runner: Pick<RunnerRow, "id" | "organizationId">): void =>
	ctx.events.publish({ type: "runner", organizationId: runner.organizationId, runnerId: runner.id });

/**
 * Signs a runner in. A runner is identified by its organization and its sign-in name: it keeps its id when it returns,
 * with or without its data directory, and whatever its current display name is.
 *
 * A removed runner that returns is a new one. The exception: until its recordings are uploaded, the process with its
 * data directory (`instanceId`) resumes the removed runner, so that it can finish.
 *
 * @throws runner_name_taken if another process is connected under this name; token_limit if the token does not allow
 *   it.
 */
export async function signInRunner(ctx: Context, presence: RunnerPresence, body: SignInBody): Promise<SignInAnswer> {
	const sessionId = randomUUID();
	const runner = await inTransaction(ctx, async (ctx) => {
		const values = {
			version: body.version,
			instanceId: body.instanceId,
			sessionId,
			keep: body.keep ?? null,
			maxDurationSeconds: body.maxDurationSeconds ?? null,
			bufferSeconds: body.bufferSeconds ?? null,
			ephemeral: Number(body.ephemeral ?? false),
			lastSeenAt: ctx.clock.now(),
			...presence.signingIn(ctx.clock.now()),
		};
		const leaving = await removedButDelivering(ctx, body.instanceId);
		if (leaving !== undefined) {
			const back = ctx.db.updateTable("runner").set(values).where("id", "=", leaving.id);
			return back.returning(["id", "organizationId"]).executeTakeFirstOrThrow();
		}
		const known = await ctx.db
			.selectFrom("runner")
			.select(["id", "instanceId", "name", "tokenId"])
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("signInName", "=", body.name)
			.executeTakeFirst();
		if (known !== undefined && known.instanceId !== body.instanceId && (await presence.isLive(ctx.db, known.id))) {
			throw new TapedeckError(
				"runner_name_taken",
				`A runner named "${body.name}" is already connected. Stop it, or start this one under another name with TAPEDECK_RUNNER_NAME.`,
			);
		}
		const row = { ...values, ...(await admitRunner(ctx, body, known)) };
		const identity = { organizationId: ctx.actor.organizationId, signInName: body.name };
		const name = known?.name ?? (await freeName(ctx, body.name));
		return ctx.db
			.insertInto("runner")
			.values({ ...identity, name, createdAt: row.lastSeenAt, ...row })
			.onConflict((conflict) => conflict.columns(["organizationId", "signInName"]).doUpdateSet(row))
			.returning(["id", "organizationId"])
			.executeTakeFirstOrThrow();
	});
	presence.signedIn(runner.id, sessionId);
	publishRunner(ctx, runner);
	const { video = {} } = await recordingSettings(ctx, runner.organizationId);
	return {
		product: "tapedeck",
		version: VERSION,
		runnerId: runner.id,
		organizationId: runner.organizationId,
		sessionId,
		serverTime: new Date(ctx.clock.now()).toISOString(),
		dashboardId: (await ctx.db.selectFrom("dashboard").select("id").executeTakeFirstOrThrow()).id,
		...(Object.keys(video).length === 0 ? {} : { video }),
	};
}

/** The runner of this data directory, if it was removed while recording and its jobs have not ended. */
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

/** The name, with a number appended if another runner was renamed to it. */
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

/** The runner announces that it exits: it is offline at once; its jobs keep their lease. */
export async function signOutRunner(ctx: Context, presence: RunnerPresence, sessionId: string): Promise<void> {
	const runner = await runnerOfSession(ctx, sessionId);
	await ctx.db
		.updateTable("runner")
		.set({ sessionId: null, lastSeenAt: ctx.clock.now(), pollUntil: null })
		.where("id", "=", runner.id)
		.where("sessionId", "=", sessionId)
		.execute();
	presence.signedOut(runner.id);
	publishRunner(ctx, runner);
}

/** @throws session_superseded unless the session currently belongs to a runner of the caller's organization. */
export async function runnerOfSession(ctx: Context, sessionId: string): Promise<RunnerRow> {
	const [runner] = await bySession(ctx.db, { organizationId: ctx.actor.organizationId, sessionId });
	return runner ?? superseded();
}

const bySession = prepared((db, of: { organizationId: number; sessionId: string }) =>
	db
		.selectFrom("runner")
		.selectAll()
		.where("organizationId", "=", of.organizationId)
		.where("sessionId", "=", of.sessionId),
);

function superseded(): never {
	throw new TapedeckError(
		"session_superseded",
		"This session has ended: the runner signed in again or signed out. Sign in again.",
	);
}

/** The columns that a poll reads of its runner first. Most polls need no more, and reading the whole row is costly. */
export type PollingRunner = Pick<RunnerRow, "id" | "organizationId" | "removedAt" | "lastSeenAt"> & {
	/** Whether jobs wait for it, or may not have reached it. 0 or 1 on SQLite. */
	hasJobs: SqlBool;
	/** Whether jobs of the organization wait for any runner that fits. */
	hasPool: SqlBool;
	/** The organization's video settings as JSON; null if it has none. */
	video: string | null;
};

/** @throws session_superseded unless the session currently belongs to a runner of the caller's organization. */
export async function pollingRunner(ctx: Context, sessionId: string): Promise<PollingRunner> {
	const [runner] = await pollingBySession(ctx.db, { organizationId: ctx.actor.organizationId, sessionId });
	return runner ?? superseded();
}

const pollingBySession = prepared((db, of: { organizationId: number; sessionId: string }) =>
	db
		.selectFrom("runner")
		.select(["id", "organizationId", "removedAt", "lastSeenAt"])
		.select(({ selectFrom }) =>
			selectFrom("recordingSettings")
				.select("recordingSettings.video")
				.whereRef("recordingSettings.organizationId", "=", "runner.organizationId")
				.as("video"),
		)
		.select(({ exists, selectFrom }) =>
			exists(
				selectFrom("job")
					.select("job.id")
					.whereRef("job.organizationId", "=", "runner.organizationId")
					// Literally, as in the index of these jobs.
					.where(sql<boolean>`selector is not null and status = 'queued'`),
			).as("hasPool"),
		)
		.select(({ or, exists, selectFrom }) => {
			// Two indexed lookups: for a list of values, SQLite builds a table first.
			const has = (status: JobStatus) =>
				exists(
					selectFrom("job")
						.select("id")
						.whereRef("runnerId", "=", "runner.id")
						.where("status", "=", status)
						.where(isForThisRunner),
				);
			return or([has("queued"), has("starting")]).as("hasJobs");
		})
		.where("organizationId", "=", of.organizationId)
		.where("sessionId", "=", of.sessionId),
);

/** After this long in silence a runner counts as offline: the first word from it is written and published at once. */
const AWAY_MS = 10_000;

const wasAway = (ctx: Context, { lastSeenAt }: Pick<RunnerRow, "lastSeenAt">): boolean =>
	lastSeenAt === null || ctx.clock.now() - lastSeenAt > AWAY_MS;

/**
 * Renews the lease: within a second, or at once if the runner was away; then returns true.
 * @param poll until when the poll that it opened may last, and how much video waits on the runner.
 */
export async function noteRunner(
	ctx: Context,
	lastSeen: LastSeen,
	runner: PollingRunner,
	poll: Poll,
): Promise<boolean> {
	const isBack = wasAway(ctx, runner);
	if (isBack) await touchRunner(ctx, runner);
	lastSeen.note(runner.id, ctx.clock.now(), poll);
	return isBack;
}

/** Renews the lease at once, and stores the runner's displays if they have changed. */
export async function noteReports(ctx: Context, runner: RunnerRow, displays: Display[] | undefined): Promise<void> {
	const allowed =
		displays === undefined ? runner.displays : JSON.stringify(allowedDisplays(readLimits(runner), displays));
	await touchRunner(ctx, runner, allowed === runner.displays ? {} : { displays: allowed });
}

async function touchRunner(
	ctx: Context,
	runner: Pick<RunnerRow, "id" | "organizationId" | "lastSeenAt">,
	changes: { displays?: string } = {},
): Promise<void> {
	await ctx.db
		.updateTable("runner")
		.set({ lastSeenAt: ctx.clock.now(), ...changes })
		.where("id", "=", runner.id)
		.execute();
	if (wasAway(ctx, runner) || changes.displays !== undefined) publishRunner(ctx, runner);
}
