/**
 * Adds what CommonJS modules need to a compiled package: an entry for `require`, and declarations of the same names. The entry
 * loads the modules that `import` loads, so that a program has each class once. Node does this from 20.19 and 22.12 on.
 *
 * Usage: node add-commonjs.mjs <folder of the package>
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [, , folder = "."] = process.argv;
const dist = join(folder, "dist");

await writeFile(join(dist, "index.cjs"), 'module.exports = require("./index.js");\n');
for (const file of (await readdir(dist)).filter((name) => name.endsWith(".d.ts"))) {
	const text = await readFile(join(dist, file), "utf8");
	// The compiler leaves the sources' extension in declarations.
	const importing = (extension) => text.replace(/(\b(?:from |import\()"\.\/[\w-]+)\.[jt]s"/g, `$1${extension}"`);
	await writeFile(join(dist, file), importing(".js"));
	await writeFile(join(dist, file.replace(/\.d\.ts$/, ".d.cts")), importing(".cjs"));
}
