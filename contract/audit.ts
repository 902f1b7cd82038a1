/** The audit log on the wire: who did what to what, when and from where. */
import * as z from "zod";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { instantParam, repeatable } from "./query-params.ts";

/** Every action that is recorded. The part before the dot names what was acted on. */
export const AUDIT_ACTIONS = [
	"setup.done",
	"session.started",
	"session.refused",
	"session.ended",
	"session.revoked",
	"password.changed",
	"password.reset_link_created",
	"password.reset",
	"second_factor.added",
	"second_factor.removed",
	"passkey.added",
	"passkey.removed",
	"organization.created",
	"organization.updated",
	"organization.transferred",
	"organization.deletion_requested",
	"organization.deletion_cancelled",
	"invitation.created",
	"invitation.revoked",
	"invitation.accepted",
	"member.joined",
	"member.role_changed",
	"member.removed",
	"member.left",
	"api_key.created",
	"api_key.revoked",
	"device_sign_in.approved",
	"runner_token.created",
	"runner_token.rotated",
	"runner_token.revoked",
	"runner.renamed",
	"runner.removed",
	"job.created",
	"job.renamed",
	"job.changed",
	"job.cancelled",
	"job.privacy_started",
	"job.privacy_ended",
	"job.deleted",
	"test_run.created",
	"test_run.deleted",
	"test_run.let_through",
	"attachment.deleted",
	"attachment.signed",
	"recording.uploaded",
	"recording.renamed",
	"recording.changed",
	"recording.kept",
	"recording.pinned",
	"recording.unpinned",
	"recording.deleted",
	"recording.restored",
	"recording.purged",
	"retention.changed",
	"retention.clock_confirmed",
	"retention.many_deleted",
	"recording_settings.changed",
	"view.created",
	"view.changed",
	"view.deleted",
	"link.created",
	"link.signed",
	"link.revoked",
	"webhook.created",
	"webhook.changed",
	"webhook.deleted",
	"webhook.secret_rotated",
	"webhook.test_sent",
	"webhook.delivery_repeated",
	"build.finish_announced",
	"schedule.created",
	"schedule.paused",
	"schedule.resumed",
	"schedule.deleted",
] as const;
export const auditActionSchema = z.enum(AUDIT_ACTIONS);
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `visitor`: someone not (yet) identified, such as at a failed sign-in. */
export const AUDIT_ACTOR_KINDS = ["user", "apiKey", "runner", "system", "visitor"] as const;
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

export const AUDIT_TARGET_KINDS = [
	"user",
	"organization",
	"invitation",
	"apiKey",
	"runnerToken",
	"runner",
	"job",
	"recording",
	"link",
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGET_KINDS)[number];

export const auditEntrySchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	at: timestampSchema,
	/** `id` is null for the system and for visitors; the name is as it was at the time. */
	actor: z.object({ kind: z.enum(AUDIT_ACTOR_KINDS), id: idSchema.nullable(), name: z.string() }),
	/** The caller's address. Forwarded addresses are trusted only from the proxies in TAPEDECK_TRUSTED_PROXIES. */
	address: z.string().nullable(),
	action: auditActionSchema,
	target: z
		.object({ kind: z.enum(AUDIT_TARGET_KINDS), id: idSchema.nullable(), name: z.string().nullable() })
		.nullable(),
	/** Further details, such as a role before and after. Never a secret. */
	detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export const auditPageSchema = pageOf(auditEntrySchema);

const reference = <K extends string>(name: string, kinds: readonly [K, ...K[]], example: string) =>
	z
		.string()
		.regex(new RegExp(`^(${kinds.join("|")})(:[1-9]\\d{0,15})?$`), {
			error: `Send ${name} as a kind with an id, such as ${example}, or a kind alone (${kinds.join(", ")}).`,
		})
		.transform((value) => {
			const [kind, id] = value.split(":") as [K, string?];
			return { kind, id: id === undefined ? null : Number(id) };
		})
		.optional();

const filters = {
	actor: reference("actor", AUDIT_ACTOR_KINDS, "user:3"),
	action: repeatable(z.enum(AUDIT_ACTIONS, { error: `Send action as one of ${AUDIT_ACTIONS.join(", ")}.` })),
	target: reference("target", AUDIT_TARGET_KINDS, "recording:12"),
	address: plainText("address").max(64, { error: "Send address as an IP address." }).optional(),
	after: instantParam("after"),
	before: instantParam("before"),
};
export const exportAuditQuerySchema = z.object(filters);
export type AuditFilters = z.output<typeof exportAuditQuerySchema>;
export const listAuditQuerySchema = z.object({ ...filters, limit: limitParam, cursor: cursorParam });
export type ListAuditQuery = z.output<typeof listAuditQuerySchema>;
