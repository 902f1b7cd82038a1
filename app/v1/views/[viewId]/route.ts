import { changeViewBodySchema, savedViewSchema } from "@tapedeck/contract/view.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { changeView, deleteView } from "#lib/recordings/saved-views.ts";

const params = pathIds("viewId");

export const PATCH = route(
	{
		operationId: "updateView",
		summary: "Rename a saved view, or change its filters",
		permission: "views:use",
		audit: ["view.changed"],
		params,
		body: changeViewBodySchema,
		answers: { 200: savedViewSchema },
	},
	({ ctx, params, body }) => changeView(ctx, params.viewId, body),
);

export const DELETE = route(
	{
		operationId: "deleteView",
		summary: "Delete a saved view",
		permission: "views:use",
		audit: ["view.deleted"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => deleteView(ctx, params.viewId),
);
