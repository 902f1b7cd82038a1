/** `PUT /v1/failure-triage`: who looks after a cause or a test, and until when its failures are muted. */
import { MAX_LETS_PASS_DAYS, MAX_LETTING_PASS } from "@tapedeck/contract/gate.ts";
import type { Triage, TriageBody } from "@tapedeck/contract/test-failure.ts";
import { type JoinBuilder, type Kysely, sql } from "kysely";
import { type Context, creatorOf, type Database } from "#lib/core/context.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";

/** The subject of the decision: a cause, or the id of a test. */
export interface TriageKey {
	kind: "cause" | "test";
	key: string;
}

/**
 * Fields that are left out stay as they are.
 * @throws not_found for a test that does not exist; validation_failed at `assigneeUserId`, or at `mutedUntil` if it is past.
 */
export async function setTriage(ctx: Context, body: TriageBody): Promise<Triage> {
	const { organizationId } = ctx.actor;
	const about = await aboutOf(ctx, body);
	if (body.assigneeUserId != null) {
		const member = await ctx.db
			.selectFrom("member")
			.select("userId")
			.where("organizationId", "=", organizationId)
			.where("userId", "=", body.assigneeUserId)
			.executeTakeFirst();
		if (member === undefined) {
			const message = "Send the user id of a member of this organization, or null for nobody.";
			throw invalid({ path: "assigneeUserId", code: "invalid", message });
		}
	}
	if (body.mutedUntil != null && body.mutedUntil <= ctx.clock.now()) {
		throw invalid({ path: "mutedUntil", code: "too_small", message: "Send mutedUntil as a time to come, or null." });
	}
	if (body.letsPass === true) await assertMayLetPass(ctx, body, about);
	const set = {
		...(body.assigneeUserId === undefined ? {} : { assigneeUserId: body.assigneeUserId }),
		...(body.letsPass === false ? { letsPass: 0 } : {}),
		...(body.mutedUntil === undefined
			? {}
			: {
					mutedUntil: body.mutedUntil,
					muteReason: body.mutedUntil === null ? null : (body.reason ?? null),
					mutedBy: body.mutedUntil === null ? null : (creatorOf(ctx)?.name ?? null),
					letsPass: Number(body.letsPass === true),
				}),
	};
	const none = { assigneeUserId: null, mutedUntil: null, muteReason: null, mutedBy: null, letsPass: 0 };
	await ctx.db
		.insertInto("failureTriage")
		.values({ organizationId, ...about, ...none, ...set })
		.onConflict((conflict) => {
			const known = conflict.columns(["organizationId", "kind", "key"]);
			return Object.keys(set).length === 0 ? known.doNothing() : known.doUpdateSet(set);
		})
		.execute();
	const triage = await triageOf(ctx, about.kind, [about.key]);
	ctx.events.publish({ type: "tests", organizationId, jobId: null, recordingId: null, testRunId: null });
	return triage.get(about.key) ?? NO_TRIAGE;
}

async function aboutOf(ctx: Context, { cause, testId }: TriageBody): Promise<TriageKey> {
	if (testId === undefined) return { kind: "cause", key: cause ?? "" };
	const test = await ctx.db
		.selectFrom("test")
		.select("id")
		.where("id", "=", testId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (test === undefined) throw notFound("test");
	return { kind: "test", key: String(testId) };
}

const DAY_MS = 86_400_000;

/** Only a person lets CI pass, for a limited time, and with an assignee. */
async function assertMayLetPass(ctx: Context, body: TriageBody, { key }: TriageKey): Promise<void> {
	const { organizationId, kind } = ctx.actor;
	if (kind !== "user") throw new TapedeckError("forbidden", "Only people can let CI pass. Sign in to the dashboard.");
	if ((body.mutedUntil ?? 0) > ctx.clock.now() + MAX_LETS_PASS_DAYS * DAY_MS) {
		const message = `Send mutedUntil as a time within ${MAX_LETS_PASS_DAYS} days: nothing lets CI pass for longer.`;
		throw invalid({ path: "mutedUntil", code: "too_big", message });
	}
	const all = await ctx.db
		.selectFrom("failureTriage")
		.leftJoin("member", isAssignee)
		.select(["key", "member.userId as assigneeUserId", "letsPass", "mutedUntil"])
		.where("failureTriage.organizationId", "=", organizationId)
		.where("kind", "=", "cause")
		.where(({ or, eb }) => or([eb("letsPass", "=", 1), eb("key", "=", key)]))
		.execute();
	const assignee = body.assigneeUserId ?? all.find((row) => row.key === key)?.assigneeUserId ?? null;
	if (assignee === null || body.assigneeUserId === null) {
		const message = "Send assigneeUserId: somebody must look after what lets CI pass.";
		throw invalid({ path: "assigneeUserId", code: "invalid", message });
	}
	const others = all.filter((row) => row.key !== key && row.letsPass === 1 && (row.mutedUntil ?? 0) > ctx.clock.now());
	if (others.length < MAX_LETTING_PASS) return;
	const message = `${MAX_LETTING_PASS} causes let CI pass already. End one of them first.`;
	throw new TapedeckError("conflict", message);
}

type Tables = Database extends Kysely<infer T> ? T : never;

/** A person who has left the organization looks after nothing. */
export const isAssignee = (join: JoinBuilder<Tables, "failureTriage" | "member">) =>
	join
		.onRef("member.userId", "=", "failureTriage.assigneeUserId")
		.onRef("member.organizationId", "=", "failureTriage.organizationId");

export const NO_TRIAGE: Triage = {
	assignee: null,
	mutedUntil: null,
	muteReason: null,
	mutedBy: null,
	letsPass: false,
};

/** @returns those that a user decided about, by key. */
export async function triageOf(
	ctx: Context,
	kind: TriageKey["kind"],
	keys: readonly string[],
): Promise<Map<string, Triage>> {
	if (keys.length === 0) return new Map();
	// One parameter: of a thousand tests, as many would take longer to write down than to find.
	const isOneOf =
		ctx.dialect === "sqlite"
			? sql<boolean>`key in (select value from json_each(${JSON.stringify(keys)}))`
			: sql<boolean>`key = any(${keys})`;
	const rows = await ctx.db
		.selectFrom("failureTriage")
		.leftJoin("member", isAssignee)
		.leftJoin("user", "user.id", "member.userId")
		.selectAll("failureTriage")
		.select("user.name as assigneeName")
		.where("failureTriage.organizationId", "=", ctx.actor.organizationId)
		.where("kind", "=", kind)
		.where(isOneOf)
		.execute();
	const now = ctx.clock.now();
	return new Map(
		rows.map((row) => {
			const isMuted = row.mutedUntil !== null && row.mutedUntil > now;
			const { assigneeUserId: userId, assigneeName: name } = row;
			const triage: Triage = {
				assignee: userId === null || name === null ? null : { userId, name },
				mutedUntil: isMuted ? timestamp(row.mutedUntil as number) : null,
				muteReason: isMuted ? row.muteReason : null,
				mutedBy: isMuted ? row.mutedBy : null,
				letsPass: isMuted && row.letsPass === 1,
			};
			return [row.key, triage];
		}),
	);
}
