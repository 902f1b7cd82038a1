import { buildPageSchema, listBuildsQuerySchema } from "@tapedeck/contract/build.ts";
import { route } from "#lib/http/route.ts";
import { listBuilds } from "#lib/recordings/builds.ts";

export const GET = route(
	{
		operationId: "listBuilds",
		summary: "List builds, the one with the newest recording first, with what their recordings came to",
		permission: "recordings:read",
		query: listBuildsQuerySchema,
		answers: { 200: buildPageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listBuilds(ctx, query) }),
);
