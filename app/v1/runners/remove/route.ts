import { removedRunnersSchema, removeRunnersBodySchema } from "@tapedeck/contract/runner.ts";
import { route } from "#lib/http/route.ts";
import { removeRunners } from "#lib/runners/remove-runners.ts";

export const POST = route(
	{
		operationId: "removeRunners",
		summary: "Remove up to 100 runners; ids that name no runner are left out of the answer",
		permission: "runners:manage",
		audit: ["runner.removed"],
		body: removeRunnersBodySchema,
		answers: { 200: removedRunnersSchema },
	},
	({ ctx, body, signal }) => removeRunners(ctx, body.runnerIds, signal),
);
