import { labelListSchema, listLabelsQuerySchema } from "@tapedeck/contract/label-list.ts";
import { route } from "#lib/http/route.ts";
import { listLabels } from "#lib/recordings/list-labels.ts";

export const GET = route(
	{
		operationId: "listLabels",
		summary: "List the keys of labels in use, or the values of one key, that begin with a prefix",
		permission: "recordings:read",
		query: listLabelsQuerySchema,
		answers: { 200: labelListSchema },
	},
	async ({ ctx, query }) => ({ data: await listLabels(ctx, query), nextCursor: null }),
);
