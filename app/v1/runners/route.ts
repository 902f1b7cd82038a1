import { cursorParam, limitParam } from "@tapedeck/contract/page.ts";
import { removedParam, runnerPageSchema } from "@tapedeck/contract/runner.ts";
import * as z from "zod";
import { route } from "#lib/http/route.ts";
import { listRunners } from "#lib/runners/list-runners.ts";

export const GET = route(
	{
		operationId: "listRunners",
		summary: "List runners with their state, displays and running jobs; removed=true lists removed runners",
		permission: "runners:read",
		query: z.object({ limit: limitParam, cursor: cursorParam, removed: removedParam }),
		answers: { 200: runnerPageSchema },
	},
	({ app, ctx, query }) => listRunners(ctx, app.runnerDownloads, query),
);
