/** Records who did what to what, when and from where. The table refuses changes, by triggers. */
import type { AuditAction, AuditActorKind, AuditTargetKind } from "@tapedeck/contract/audit.ts";
import { type Actor, type Context, creatorOf } from "#lib/core/context.ts";

/** The action of an operation, as the audit log records it. */
export type Audited = {
	action: AuditAction;
	/** The target with its current name, because it may be deleted when the entry is read. */
	target?: { kind: AuditTargetKind; id: number | null; name?: string | null };
	/** Further details, such as a role before and after. Never a secret: no password, key, token or link. */
	detail?: Record<string, unknown>;
};

/** Overrides the context's actor: at sign-in and set-up nobody is signed in yet. */
export type AuditActor = { kind: AuditActorKind; id: number | null; name: string };

/**
 * Adds an entry to the audit log of the actor's organization. Call it in the transaction of the change
 * (`inTransaction`), so that both are committed or neither, and after the guarded write, so that a call that changed
 * nothing leaves no entry.
 *
 * A route that changes something declares the action that it writes (`audit` in its definition); tests check both.
 */
export async function audit(
	ctx: Pick<Context, "actor" | "db" | "clock" | "address">,
	audited: Audited,
	actor: AuditActor = auditActor(ctx.actor),
): Promise<void> {
	await auditAll(ctx, [audited], actor);
}

/** The same for several entries, in one statement. */
export async function auditAll(
	ctx: Pick<Context, "actor" | "db" | "clock" | "address">,
	all: readonly Audited[],
	actor: AuditActor = auditActor(ctx.actor),
): Promise<void> {
	if (all.length === 0) return;
	const entries = all.map(({ action, target, detail = {} }) => ({
		organizationId: ctx.actor.organizationId,
		at: ctx.clock.now(),
		actorKind: actor.kind,
		actorId: actor.id,
		actorName: actor.name,
		address: ctx.address ?? null,
		action,
		targetKind: target?.kind ?? null,
		targetId: target?.id ?? null,
		targetName: target?.name ?? null,
		detail: JSON.stringify(detail),
	}));
	await ctx.db.insertInto("auditEntry").values(entries).execute();
}

function auditActor(actor: Actor): AuditActor {
	const creator = creatorOf({ actor });
	if (creator !== null) return creator;
	return actor.kind === "link"
		? { kind: "visitor", id: null, name: "Someone with a link" }
		: { kind: "system", id: null, name: "Tapedeck" };
}
