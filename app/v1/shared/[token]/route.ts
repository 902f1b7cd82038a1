import { sharedRecordingSchema, shareTokenParams } from "@tapedeck/contract/link.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { readShared } from "#lib/recordings/share-links.ts";

export const GET = route(
	{
		operationId: "getSharedRecording",
		summary: "Get a shared recording",
		permission: "public",
		params: shareTokenParams,
		answers: { 200: sharedRecordingSchema },
	},
	async ({ app, params }) => {
		const { ctx, ...link } = await followShareLink(app, params.token, "page");
		return readShared(ctx, params.token, link);
	},
);
