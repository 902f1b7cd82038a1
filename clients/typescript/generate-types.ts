/** The types of the API, generated from the OpenAPI document of this copy of Tapedeck. As a program: writes them. */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../../lib/http/openapi/document.ts";
import { loadRoutes } from "../../lib/http/route-table.ts";

const APP = new URL("../../app", import.meta.url).pathname;
const FILE = new URL("src/openapi.ts", import.meta.url);

const HEADER = `/** Generated from the OpenAPI document by generate-types.ts: do not edit. */\n`;

/** @returns the generated module. */
export async function generateTypes(): Promise<string> {
	const document = openApiDocument(await loadRoutes(APP), "https://tapedeck.example.com");
	// Examples would be most of the file, and change more often than the types.
	const plain = JSON.parse(JSON.stringify(document, (key, value) => (/^examples?$/.test(key) ? undefined : value)));
	const types = await openapiTS(plain as OpenAPI3, {
		alphabetize: true,
		rootTypes: true,
		rootTypesNoSchemaPrefix: true,
		// A field with a default may be left out.
		defaultNonNullable: false,
	});
	return HEADER + astToString(types);
}

/** @returns the module as it is in src. */
export const writtenTypes = (): Promise<string> => readFile(FILE, "utf8");

if (import.meta.main) await writeFile(FILE, await generateTypes());
