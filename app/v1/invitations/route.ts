import {
	createInvitationBodySchema,
	invitationPageSchema,
	listMembersQuerySchema,
	newInvitationSchema,
} from "@tapedeck/contract/member.ts";
import { createInvitation, listInvitations } from "#lib/auth/invitations/invitations.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listInvitations",
		summary: "List invitations",
		permission: "organization:manage",
		query: listMembersQuerySchema,
		answers: { 200: invitationPageSchema },
	},
	({ ctx, query }) => listInvitations(ctx, query),
);

export const POST = route(
	{
		operationId: "createInvitation",
		summary: "Create an invitation for one person; the link is shown once",
		permission: "organization:manage",
		audit: ["invitation.created"],
		body: createInvitationBodySchema,
		answers: { 201: newInvitationSchema },
	},
	({ ctx, app: { mailer }, body }) => createInvitation({ ...ctx, mailer }, body),
);
