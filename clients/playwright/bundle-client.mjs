/**
 * Puts the client into the package, which then needs nothing from a registry: copies it into dist/client, and imports it
 * from there.
 */
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("dist/", import.meta.url));
const client = fileURLToPath(new URL("../typescript/dist/", import.meta.url));

await rm(`${dist}client`, { recursive: true, force: true });
await cp(client, `${dist}client`, { recursive: true });
for (const file of (await readdir(dist)).filter((name) => /\.(?:js|d\.c?ts)$/.test(name))) {
	const text = await readFile(dist + file, "utf8");
	const entry = file.endsWith(".d.cts") ? "index.cjs" : "index.js";
	await writeFile(dist + file, text.replaceAll('"@tapedeck/client"', `"./client/${entry}"`));
}
