/** Who belongs to an organization: members, and the links that invite more. */
import * as z from "zod";
import { labelSchema, ROLES } from "./organization.ts";
import { cursorParam, idSchema, limitParam, pageOf, timestampSchema } from "./page.ts";

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
	/** The member who becomes owner; the caller stays on as admin. */
	userId: z.int({ error: "Send the userId of a member." }).positive({ error: "Send the userId of a member." }),
});

export const organizationBodySchema = z.strictObject({ name: labelSchema });
export const organizationSchema = z.object({ id: idSchema, name: z.string() });
export type Organization = z.infer<typeof organizationSchema>;

export const emailSchema = z.email({ error: "Send an e-mail address, such as you@example.com." }).max(200, {
	error: "Send an e-mail address of at most 200 characters.",
});

export const createInvitationBodySchema = z.strictObject({
	role: roleSchema,
	/** Only the account with this e-mail may use the link; left out, whoever has it. */
	email: emailSchema.optional(),
});
export type CreateInvitationBody = z.infer<typeof createInvitationBodySchema>;

/** `revoked` too when the one who made it may not invite any more. */
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
/** The answer to making one: the only time that the link is shown. */
export const newInvitationSchema = invitationSchema.extend({ url: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;

/** The secret of a link: what stands behind its `#`. */
export const linkTokenSchema = z
	.string({ error: "Send the token of the link, as a string." })
	.min(1, { error: "Send the token of the link." })
	.max(200, { error: "Send the token of the link, which is shorter." });
export const linkTokenBodySchema = z.strictObject({ token: linkTokenSchema });

/** What a link that invites says of itself to whoever holds it. */
export const openedInvitationSchema = z.object({
	organizationName: z.string(),
	role: z.enum(ROLES),
	email: z.string().nullable(),
	state: z.enum(INVITATION_STATES),
	expiresAt: timestampSchema,
});
export type OpenedInvitation = z.infer<typeof openedInvitationSchema>;
