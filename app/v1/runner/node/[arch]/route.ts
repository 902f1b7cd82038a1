import * as z from "zod";
import { notFound } from "#lib/core/errors.ts";
import { openNodeBinary } from "#lib/runners/install/runner-downloads.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		operationId: "getNodeBinary",
		summary: "Download Node for a runner, compressed with gzip",
		permission: "runner:act",
		params: z.object({ arch: z.string() }),
		answers: { 200: ["application/gzip"] },
	},
	async ({ params }) => {
		const binary = openNodeBinary(params.arch);
		if (binary === null) throw notFound(`Node for ${params.arch}`);
		return new Response(binary, { headers: { "content-type": "application/gzip" } });
	},
);
