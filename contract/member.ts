/** Members of an organization, and invitations. */
import * as z from "zod";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { ROLES } from "./permissions.ts";
import { emailSchema, idSchema, plainText, timestampSchema } from "./primitives.ts";

const roleSchema = z.enum(ROLES, { error: `Send one of ${ROLES.join(", ")}.` });

export const memberSchema = z.object({
	userId: idSchema,
	name: z.string(),
	email: z.string(),
	role: z.enum(ROLES),
	joinedAt: timestampSchema,
});
export type Member = z.infer<typeof memberSchema>;
export const memberPageSchema = pageOf(memberSchema);
export const listMembersQuerySchema = z.object({ limit: limitParam, cursor: cursorParam });
export type ListMembersQuery = z.output<typeof listMembersQuerySchema>;

export const changeRoleBodySchema = z.strictObject({ role: roleSchema });
export const transferOwnershipBodySchema = z.strictObject({
	/** The member who becomes owner; the caller becomes admin. */
	userId: z.int({ error: "Send the userId of a member." }).positive({ error: "Send the userId of a member." }),
});

export const createInvitationBodySchema = z.strictObject({
	role: roleSchema,
	/** Only the account with this email may use the invitation; if omitted, anyone with the link. */
	email: emailSchema.optional(),
});
export type CreateInvitationBody = z.infer<typeof createInvitationBodySchema>;

/** Also `revoked` when its creator may no longer invite. */
export const INVITATION_STATES = ["open", "accepted", "revoked", "expired"] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

export const invitationSchema = z.object({
	id: idSchema,
	role: z.enum(ROLES),
	email: z.string().nullable(),
	state: z.enum(INVITATION_STATES),
	createdBy: z.string().nullable(),
	createdAt: timestampSchema,
	expiresAt: timestampSchema,
	acceptedBy: z.string().nullable(),
});
export type Invitation = z.infer<typeof invitationSchema>;
export const invitationPageSchema = pageOf(invitationSchema);
/** The response to creating an invitation: the link is never shown again. */
export const newInvitationSchema = invitationSchema.extend({
	url: z.string(),
	/** Whether the link was also sent to `email`. Always false if the dashboard sends no email. */
	emailed: z.boolean(),
});
export type NewInvitation = z.infer<typeof newInvitationSchema>;

/** The secret of a link, after its `#`. */
export const linkTokenSchema = plainText("the token of the link")
	.min(1, { error: "Send the token of the link." })
	.max(200, { error: "Send only the token of the link." });
export const linkTokenBodySchema = z.strictObject({ token: linkTokenSchema });

/** The invitation as its link shows it to the holder. */
export const openedInvitationSchema = z.object({
	organizationName: z.string(),
	role: z.enum(ROLES),
	email: z.string().nullable(),
	state: z.enum(INVITATION_STATES),
	expiresAt: timestampSchema,
});
export type OpenedInvitation = z.infer<typeof openedInvitationSchema>;
