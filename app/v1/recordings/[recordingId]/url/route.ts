import { signedUrlQuerySchema, signedUrlSchema } from "@tapedeck/contract/link.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { signedUrl } from "#lib/recordings/playback/signed-link.ts";

export const GET = route(
	{
		operationId: "createSignedUrl",
		summary: "Create signed URLs of a recording's video and poster, which need no credentials until they expire",
		permission: "recordings:share",
		audit: ["link.signed"],
		params: pathIds("recordingId"),
		query: signedUrlQuerySchema,
		answers: { 200: signedUrlSchema },
	},
	({ ctx, app, params, query }) => signedUrl(ctx, app.links, params.recordingId, query.expiresInSeconds),
);
