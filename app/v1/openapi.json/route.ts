import * as z from "zod";
import { openApiDocument } from "#lib/server/openapi.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "This contract, as an OpenAPI document.",
		open: true,
		answers: { 200: z.record(z.string(), z.unknown()) },
	},
	async ({ app }) => ({ status: 200, body: openApiDocument(app.routes, app.baseUrl) }),
);
