import { revokeInvitation } from "#lib/auth/invitations/invitations.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "revokeInvitation",
		summary: "Revoke an invitation that is not accepted yet",
		permission: "organization:manage",
		audit: ["invitation.revoked"],
		params: pathIds("invitationId"),
		answers: { 204: null },
	},
	({ ctx, params }) => revokeInvitation(ctx, params.invitationId),
);
