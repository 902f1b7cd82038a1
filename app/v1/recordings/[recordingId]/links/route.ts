import * as z from "zod";
import { createShareLinkBodySchema, newShareLinkSchema, shareLinkListSchema } from "#lib/contract/link.ts";
import { assertMayWrite } from "#lib/core/access.ts";
import { createShareLink, listShareLinks } from "#lib/recordings/share-links.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ recordingId: pathId });

export const GET = route(
	{
		summary: "List the links that share a recording with everybody who has them.",
		scope: "recordings:write",
		params,
		answers: { 200: shareLinkListSchema },
	},
	async ({ ctx, params }) => ({
		status: 200,
		body: { data: await listShareLinks(ctx, params.recordingId), nextCursor: null },
	}),
);

export const POST = route(
	{
		summary: "Share a recording: makes a link to a page that plays it without signing in, shown this once.",
		scope: "recordings:write",
		audit: ["link.created"],
		params,
		authorize: assertMayWrite,
		body: createShareLinkBodySchema,
		answers: { 201: newShareLinkSchema },
	},
	async ({ ctx, params, body }) => ({ status: 201, body: await createShareLink(ctx, params.recordingId, body) }),
);
