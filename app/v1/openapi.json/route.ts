import { plainText } from "@tapedeck/contract/primitives.ts";
import * as z from "zod";
import { documentResponse } from "#lib/http/openapi/serve-document.ts";
import { slugOf, TAGS } from "#lib/http/openapi/tags.ts";
import { route } from "#lib/http/route.ts";

const SLUGS = TAGS.map(({ name }) => slugOf(name));

export const GET = route(
	{
		operationId: "getOpenApiDocument",
		summary: "Get this API as an OpenAPI document, or the part of it that an agent needs",
		permission: "public",
		query: z.object({
			tag: z
				.enum(SLUGS, { error: `Send tag as one of ${SLUGS.join(", ")}, or leave it out.` })
				.describe("Only the operations of this tag, without examples, and with one description of all errors.")
				.optional(),
			operation: plainText("operation", "Send operation as the operationId of one operation, or leave it out.")
				.max(100)
				.describe("Only the operation with this operationId, in the same form.")
				.optional(),
		}),
		refusals: ["not_found"],
		answers: { 200: z.record(z.string(), z.unknown()), 304: null },
	},
	async ({ app, query, request }) =>
		documentResponse(app.routes, app.baseUrl, query, request.headers.get("if-none-match")),
);
