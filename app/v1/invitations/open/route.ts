import { openInvitation } from "#lib/auth/invitations/accept-invitation.ts";
import { linkTokenBodySchema, openedInvitationSchema } from "#lib/contract/member.ts";
import { route } from "#lib/server/route.ts";

/** A POST although it changes nothing: the token belongs into no address and so into no log. */
export const POST = route(
	{
		summary: "Tell the holder of an invitation's link what it invites to",
		open: true,
		audit: { none: "It only reads." },
		body: linkTokenBodySchema,
		answers: { 200: openedInvitationSchema },
	},
	async ({ app, body }) => ({ status: 200, body: await openInvitation(app, body.token) }),
);
