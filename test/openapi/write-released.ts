/** Writes docs/openapi.json. */
import { writeFile } from "node:fs/promises";
import { openApiText } from "./released-document.ts";

await writeFile(new URL("../../docs/openapi.json", import.meta.url), await openApiText());
