/** Writes down who did what to what, when and from where. The table refuses changes (migration 0007). */
import type { AuditAction, AuditActorKind, AuditTargetKind } from "../contract/audit.ts";
import type { Actor, Context } from "./context.ts";

/** What verbs tell about what they did. */
export type Audited = {
	action: AuditAction;
	/** What was acted on; its name as it is now, because the thing may be gone when the entry is read. */
	target?: { kind: AuditTargetKind; id: number | null; name?: string | null };
	/** What else belongs to it, such as a role before and after. Never a secret: no password, key, token or link. */
	detail?: Record<string, unknown>;
};

/** Who did it, where it is not the context's own actor: at sign-in and set-up nobody is signed in yet. */
export type AuditActor = { kind: AuditActorKind; id: number | null; name: string };

/**
 * Adds an entry to the audit log of the actor's organization. Call it in the transaction of the change
 * (`inTransaction`), so that neither stands without the other, and after the guarded write, so that a call that
 * changed nothing leaves no entry.
 *
 * A route that changes something declares the action it writes (`audit` in its definition); tests hold both together.
 */
export async function audit(
	ctx: Pick<Context, "actor" | "db" | "clock" | "address">,
	{ action, target, detail = {} }: Audited,
	actor: AuditActor = auditActor(ctx.actor),
): Promise<void> {
	await ctx.db
		.insertInto("auditEntry")
		.values({
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
		})
		.execute();
}

function auditActor(actor: Actor): AuditActor {
	switch (actor.kind) {
		case "user":
			return { kind: "user", id: actor.userId, name: actor.name };
		case "apiKey":
			return { kind: "apiKey", id: actor.apiKeyId, name: actor.name };
		case "runner":
			return { kind: "runner", id: actor.runnerTokenId, name: actor.name };
		case "link":
			return { kind: "visitor", id: null, name: "Someone with a link" };
		case "system":
			return { kind: "system", id: null, name: "Tapedeck" };
	}
}
