/**
 * Renders deploy/kubernetes/dashboard.yaml and podmonitor.yaml from the chart, which is their source: `node deploy/render.ts`,
 * after `npm run test:explore` or with Helm at the path that it names.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureHelm } from "../bin/setup/external-programs.mjs";
import { renderedManifests } from "./rendered-manifests.ts";

await ensureHelm();
for (const [file, text] of Object.entries(await renderedManifests()))
	await writeFile(join(import.meta.dirname, "kubernetes", file), text);
