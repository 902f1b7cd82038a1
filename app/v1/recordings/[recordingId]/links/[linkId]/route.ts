import { pathIds, route } from "#lib/http/route.ts";
import { revokeShareLink } from "#lib/recordings/share-links.ts";

export const DELETE = route(
	{
		operationId: "revokeShareLink",
		summary: "Revoke a share link",
		permission: "recordings:write",
		audit: ["link.revoked"],
		params: pathIds("recordingId", "linkId"),
		answers: { 204: null },
	},
	({ ctx, params }) => revokeShareLink(ctx, params.recordingId, params.linkId),
);
