import { buildParamsSchema } from "@tapedeck/contract/build.ts";
import { buildEndSchema, finishBuildBodySchema } from "@tapedeck/contract/webhook.ts";
import { route } from "#lib/http/route.ts";
import { finishBuild } from "#lib/webhooks/build-ends.ts";

export const POST = route(
	{
		operationId: "finishBuild",
		summary: "Say that nothing more comes: the build is finished when its jobs have ended",
		permission: "jobs:write",
		audit: ["build.finish_announced"],
		params: buildParamsSchema,
		body: finishBuildBodySchema,
		answers: { 200: buildEndSchema },
	},
	({ ctx, params, body }) => finishBuild(ctx, params.build, body),
);
