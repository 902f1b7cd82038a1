import {
	createViewBodySchema,
	listViewsQuerySchema,
	savedViewPageSchema,
	savedViewSchema,
} from "@tapedeck/contract/view.ts";
import { route } from "#lib/http/route.ts";
import { createView, listViews } from "#lib/recordings/saved-views.ts";

export const GET = route(
	{
		operationId: "listViews",
		summary: "List your own saved views and the organization's, by name",
		permission: "views:use",
		query: listViewsQuerySchema,
		answers: { 200: savedViewPageSchema },
	},
	async ({ ctx, query }) => ({ data: await listViews(ctx, query), nextCursor: null }),
);

export const POST = route(
	{
		operationId: "createView",
		summary: "Save a view: the filters of a list under a name, for yourself or for the organization",
		permission: "views:use",
		audit: ["view.created"],
		body: createViewBodySchema,
		refusals: ["conflict"],
		answers: { 201: savedViewSchema },
	},
	({ ctx, body }) => createView(ctx, body),
);
