import { sharedTestPageSchema, shareTokenParams } from "@tapedeck/contract/link.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { listSharedTests } from "#lib/test-results/shared-tests.ts";

export const GET = route(
	{
		operationId: "listSharedTests",
		summary: "List the test results of a shared recording, the newest first, if its link includes them",
		permission: "public",
		params: shareTokenParams,
		query: pageQuerySchema,
		refusals: ["gone"],
		answers: { 200: sharedTestPageSchema },
	},
	async ({ app, params, query }) => {
		const { ctx, ...link } = await followShareLink(app, params.token, "tests");
		return listSharedTests(ctx, params.token, link, query);
	},
);
