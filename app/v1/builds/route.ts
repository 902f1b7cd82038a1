import { buildPageSchema, listBuildsQuerySchema } from "@tapedeck/contract/build.ts";
import { route } from "#lib/http/route.ts";
import { listBuilds } from "#lib/recordings/builds.ts";

export const GET = route(
	{
		operationId: "listBuilds",
		summary:
			"List builds, the one with the newest job or recording first, with the results of their tests and recordings",
		permission: "recordings:read",
		query: listBuildsQuerySchema,
		answers: { 200: buildPageSchema },
	},
	({ ctx, query }) => listBuilds(ctx, query),
);
