import { createInvitation, listInvitations } from "#lib/auth/invitations/invitations.ts";
import {
	createInvitationBodySchema,
	invitationPageSchema,
	listMembersQuerySchema,
	newInvitationSchema,
} from "#lib/contract/member.ts";
import { assertMayAdminister } from "#lib/core/access.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "List the invitations",
		actors: ["user"],
		query: listMembersQuerySchema,
		answers: { 200: invitationPageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listInvitations(ctx, query) }),
);

export const POST = route(
	{
		summary: "Make a link that lets one person into the organization; it is shown this once",
		actors: ["user"],
		audit: ["invitation.created"],
		authorize: assertMayAdminister,
		body: createInvitationBodySchema,
		answers: { 201: newInvitationSchema },
	},
	async ({ ctx, body }) => ({ status: 201, body: await createInvitation(ctx, body) }),
);
