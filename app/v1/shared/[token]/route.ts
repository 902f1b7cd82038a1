import { SHARE_TOKEN, sharedRecordingSchema } from "@tapedeck/contract/link.ts";
import * as z from "zod";
import { contextFor } from "#lib/http/app-context.ts";
import { route } from "#lib/http/route.ts";
import { openShareLink, readShared } from "#lib/recordings/share-links.ts";

export const GET = route(
	{
		operationId: "getSharedRecording",
		summary: "Get a shared recording",
		permission: "public",
		params: z.object({ token: z.string().regex(SHARE_TOKEN) }),
		answers: { 200: sharedRecordingSchema },
	},
	async ({ app, params }) => {
		const { organizationId, recordingId, expiresAt } = await openShareLink(app, params.token);
		const ctx = contextFor(app, { kind: "link", organizationId, recordingId });
		return { status: 200, body: await readShared(ctx, params.token, expiresAt) };
	},
);
