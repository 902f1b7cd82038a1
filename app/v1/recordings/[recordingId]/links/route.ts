import { createShareLinkBodySchema, newShareLinkSchema, shareLinkListSchema } from "@tapedeck/contract/link.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createShareLink, listShareLinks } from "#lib/recordings/share-links.ts";

const params = pathIds("recordingId");

export const GET = route(
	{
		operationId: "listShareLinks",
		summary: "List a recording's share links",
		permission: "recordings:write",
		params,
		query: pageQuerySchema,
		answers: { 200: shareLinkListSchema },
	},
	({ ctx, params, query }) => listShareLinks(ctx, params.recordingId, query),
);

export const POST = route(
	{
		operationId: "createShareLink",
		summary:
			"Create a share link: it opens a page that plays the recording, or one clip or one frame of it, without signing in; the link is shown once",
		permission: "recordings:write",
		audit: ["link.created"],
		params,
		body: createShareLinkBodySchema,
		answers: { 201: newShareLinkSchema },
	},
	({ ctx, params, body }) => createShareLink(ctx, params.recordingId, body),
);
