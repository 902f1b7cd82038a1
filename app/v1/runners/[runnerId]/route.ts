import * as z from "zod";
import { renameRunnerBodySchema, runnerSchema } from "#lib/contract/runner.ts";
import { assertMayWrite } from "#lib/core/access.ts";
import { readRunner } from "#lib/runners/list-runners.ts";
import { removeRunner } from "#lib/runners/remove-runner.ts";
import { renameRunner } from "#lib/runners/rename-runner.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ runnerId: pathId });

export const GET = route(
	{
		summary: "Read a runner.",
		scope: "runners:read",
		params,
		answers: { 200: runnerSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await readRunner(ctx, params.runnerId) }),
);

export const PATCH = route(
	{
		summary: "Rename a runner. It comes back as the same one, whatever name it signs in with.",
		scope: "runners:write",
		audit: ["runner.renamed"],
		params,
		authorize: assertMayWrite,
		body: renameRunnerBodySchema,
		answers: { 200: runnerSchema },
	},
	async ({ ctx, params, body }) => ({ status: 200, body: await renameRunner(ctx, params.runnerId, body.name) }),
);

export const DELETE = route(
	{
		summary: "Remove a runner: what waits for it fails, what it records ends and is kept, its process ends.",
		scope: "runners:write",
		audit: ["runner.removed"],
		params,
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await removeRunner(ctx, params.runnerId);
		return { status: 204 };
	},
);
