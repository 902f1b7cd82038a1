import { embedQuerySchema, embedSchema } from "@tapedeck/contract/link.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { route } from "#lib/http/route.ts";
import { embedOf, sharedTokenIn } from "#lib/recordings/embeds.ts";
import { openShareLink, readShared } from "#lib/recordings/share-links.ts";

export const GET = route(
	{
		operationId: "getEmbed",
		summary: "Describe a shared page as oEmbed 1.0, for programs that show what a link leads to",
		permission: "public",
		query: embedQuerySchema,
		refusals: ["not_found", "gone"],
		answers: { 200: embedSchema },
	},
	async ({ app, query }) => {
		const token = sharedTokenIn(query.url, app.baseUrl);
		const { expiresAt, ...link } = await openShareLink(app, token);
		const shared = await readShared(contextFor(app, { kind: "link", ...link }), token, expiresAt);
		return {
			status: 200,
			body: embedOf(shared, { ...query, baseUrl: app.baseUrl, isFramed: app.embedOrigins.length > 0 }),
		};
	},
);
