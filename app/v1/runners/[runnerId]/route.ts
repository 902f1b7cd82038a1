import { renameRunnerBodySchema, runnerSchema } from "@tapedeck/contract/runner.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { readRunner } from "#lib/runners/list-runners.ts";
import { removeRunner } from "#lib/runners/remove-runner.ts";
import { renameRunner } from "#lib/runners/rename-runner.ts";

const params = pathIds("runnerId");

export const GET = route(
	{
		operationId: "getRunner",
		summary: "Get a runner",
		permission: "runners:read",
		params,
		answers: { 200: runnerSchema },
	},
	({ app, ctx, params }) => readRunner(ctx, app.runnerDownloads, params.runnerId),
);

export const PATCH = route(
	{
		operationId: "renameRunner",
		summary: "Rename a runner; the name that it signs in with stays the same",
		permission: "runners:rename",
		audit: ["runner.renamed"],
		params,
		body: renameRunnerBodySchema,
		answers: { 200: runnerSchema },
	},
	({ app, ctx, params, body }) => renameRunner(ctx, app.runnerDownloads, params.runnerId, body.name),
);

export const DELETE = route(
	{
		operationId: "removeRunner",
		summary: "Remove a runner: its queued jobs fail, its recordings end and are kept, and its process exits",
		permission: "runners:manage",
		audit: ["runner.removed"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => removeRunner(ctx, params.runnerId),
);
