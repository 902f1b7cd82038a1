import * as z from "zod";
import { documentResponse } from "#lib/http/openapi/document.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getOpenApiDocument",
		summary: "Get this API as an OpenAPI document",
		permission: "public",
		answers: { 200: z.record(z.string(), z.unknown()), 304: null },
	},
	async ({ app, request }) => documentResponse(app.routes, app.baseUrl, request.headers.get("if-none-match")),
);
