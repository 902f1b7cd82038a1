import { linkTokenBodySchema, openedInvitationSchema } from "@tapedeck/contract/member.ts";
import { openInvitation } from "#lib/auth/invitations/accept-invitation.ts";
import { route } from "#lib/http/route.ts";

/** A POST although it changes nothing, to keep the token out of URLs and logs. */
export const POST = route(
	{
		operationId: "openInvitation",
		summary: "Get the invitation of a link",
		permission: "public",
		audit: { none: "It only reads." },
		body: linkTokenBodySchema,
		answers: { 200: openedInvitationSchema },
	},
	({ app, body }) => openInvitation(app, body.token),
);
