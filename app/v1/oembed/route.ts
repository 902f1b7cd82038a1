import { embedQuerySchema, embedSchema } from "@tapedeck/contract/link.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { embedOf, sharedTokenIn } from "#lib/recordings/embeds.ts";
import { readShared } from "#lib/recordings/share-links.ts";

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
		const { ctx, ...link } = await followShareLink(app, token, "page");
		const shared = await readShared(ctx, token, link);
		return embedOf(shared, { ...query, baseUrl: app.baseUrl, isFramed: app.embedOrigins.length > 0 });
	},
);
