/** Writes the OpenAPI document of this copy to docs/openapi.json: the released contract, which later changes must keep. */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "#lib/http/openapi/document.ts";
import { loadRoutes } from "#lib/http/route-table.ts";

const root = new URL("../..", import.meta.url);
const document = openApiDocument(await loadRoutes(new URL("app", root).pathname), "https://tapedeck.example.com");
await writeFile(new URL("docs/openapi.json", root), `${JSON.stringify(document, null, "\t")}\n`);
