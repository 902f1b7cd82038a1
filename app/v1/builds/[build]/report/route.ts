import { buildParamsSchema } from "@tapedeck/contract/build.ts";
import { buildReportSchema } from "@tapedeck/contract/build-report.ts";
import { route } from "#lib/http/route.ts";
import { reportBuild } from "#lib/test-results/build-report.ts";

export const GET = route(
	{
		operationId: "reportBuild",
		summary: "Report the tests of a build, and what is different from the build before on its branch",
		permission: "recordings:read",
		params: buildParamsSchema,
		answers: { 200: buildReportSchema },
	},
	({ ctx, params }) => reportBuild(ctx, params.build),
);
