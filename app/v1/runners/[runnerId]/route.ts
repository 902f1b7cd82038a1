import * as z from "zod";
import { runnerSchema } from "#lib/contract/runner.ts";
import { readRunner } from "#lib/runners/list-runners.ts";
import { pathId, route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Read a runner.",
		scope: "runners:read",
		params: z.object({ runnerId: pathId }),
		answers: { 200: runnerSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await readRunner(ctx, params.runnerId) }),
);
