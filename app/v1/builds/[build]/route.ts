import { buildParamsSchema, buildSchema } from "@tapedeck/contract/build.ts";
import { route } from "#lib/http/route.ts";
import { readBuild } from "#lib/recordings/builds.ts";

export const GET = route(
	{
		operationId: "getBuild",
		summary: "Count the jobs, tests and recordings of a build by outcome",
		permission: "recordings:read",
		params: buildParamsSchema,
		answers: { 200: buildSchema },
	},
	({ ctx, params }) => readBuild(ctx, params.build),
);
