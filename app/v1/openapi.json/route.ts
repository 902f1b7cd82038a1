import * as z from "zod";
import { openApiDocument } from "#lib/server/openapi/document.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		operationId: "getOpenApiDocument",
		summary: "Get this API as an OpenAPI document",
		permission: "public",
		answers: { 200: z.record(z.string(), z.unknown()) },
	},
	async ({ app }) => ({ status: 200, body: openApiDocument(app.routes, app.baseUrl) }),
);
