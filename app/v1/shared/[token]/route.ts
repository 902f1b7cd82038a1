import { SHARE_TOKEN, sharedRecordingSchema } from "@tapedeck/contract/link.ts";
import * as z from "zod";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { readShared } from "#lib/recordings/share-links.ts";

export const GET = route(
	{
		operationId: "getSharedRecording",
		summary: "Get a shared recording",
		permission: "public",
		params: z.object({ token: z.string().regex(SHARE_TOKEN) }),
		answers: { 200: sharedRecordingSchema },
	},
	async ({ app, params }) => {
		const { ctx, ...link } = await followShareLink(app, params.token, "page");
		return readShared(ctx, params.token, link);
	},
);
