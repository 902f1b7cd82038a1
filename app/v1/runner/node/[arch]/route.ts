import { plainText } from "@tapedeck/contract/primitives.ts";
import * as z from "zod";
import { notFound } from "#lib/core/errors.ts";
import { untilRead } from "#lib/http/rate-limits.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getNodeBinary",
		summary: "Download Node for a runner, with its licence, as .tar.gz",
		permission: "runner:act",
		params: z.object({ arch: plainText("arch") }),
		answers: { 200: ["application/gzip"] },
	},
	async ({ app, ctx, params }) => {
		const release = app.limits.open("downloads", ctx);
		try {
			const node = await app.runnerDownloads.openNode(params.arch);
			if (node === null) throw notFound(`Node for ${params.arch}`);
			const headers = { "content-type": "application/gzip", "content-length": String(node.bytes) };
			return new Response(untilRead(node.body, release), { headers });
		} catch (error) {
			release();
			throw error;
		}
	},
);
