/** The OpenAPI document of this copy, as docs/openapi.json has it: the released contract, which later changes must keep. */
import { openApiDocument } from "#lib/http/openapi/document.ts";
import { loadRoutes } from "#lib/http/route-table.ts";

export async function openApiText(): Promise<string> {
	const app = new URL("../../app", import.meta.url).pathname;
	const document = openApiDocument(await loadRoutes(app), "https://tapedeck.example.com");
	return `${JSON.stringify(document, null, "\t")}\n`;
}
