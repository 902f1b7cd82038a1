/**
 * The dashboard as a folder that runs by itself: its modules as JavaScript, the built pages, guides, and the files of
 * other packages that they load. Node does not run TypeScript from within node_modules.
 */
import { createHash } from "node:crypto";
import { cp, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "rolldown";
import { GUIDE_FILES, GUIDES } from "#lib/server/guides.ts";
import { Remedy } from "../bin/setup/remedy.mjs";
import { writeCommandProgram } from "./command-package.ts";
import { licenseTexts, packagesOf, type ShippedPackage } from "./third-party.ts";

/** Next traces its own builds with it. */
const { nodeFileTrace }: { nodeFileTrace: (files: string[], options: object) => Promise<{ fileList: Set<string> }> } =
	createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");

/** Modules that no other module imports by its name. */
const ENTRIES = ["server.ts", "app/**/{route,stream}.ts", "lib/**/*-{thread,worker}.ts"];

/** Files that modules read from the project's folder. */
const READ = [
	"public",
	"skills",
	"docs/tapedeck-runner.service",
	"lib/mcp/clip-app.html",
	"lib/runners/install/install.sh",
	"lib/runners/install/tapedeck.sh",
	"LICENSE",
	"bin/node24",
	...GUIDES.map(({ file }) => file),
	...GUIDE_FILES,
];

/** Files of other packages that no import names. */
const READ_PACKAGES = [
	"dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
	"dejavu-fonts-ttf/package.json",
	"playwright-core/package.json",
	"playwright-core/lib/vite/traceViewer",
];

/** Own packages, which are modules of the program, and the optimizer of images, which no page uses. */
const UNUSED = /^node_modules\/(@tapedeck|sharp|@img)\//;

/** Parts of Next that build and reload pages. The server names them, and loads them only in development. */
const OF_DEVELOPMENT = [
	"node_modules/next/dist/{docs,next-devtools}/**",
	"node_modules/next/dist/build/{swc,turbopack-build,webpack}/**",
	"node_modules/next/dist/server/dev/**",
	"node_modules/next/dist/compiled/{babel,babel-packages,browserslist,next-devtools,react-refresh,terser,webpack}/**",
	"node_modules/next/dist/compiled/{cssnano-simple,postcss*,*-loader,*-experimental}/**",
	"node_modules/next/dist/compiled/{@babel,@modelcontextprotocol,@rspack,@vercel/nft}/**",
	"node_modules/{@babel,browserslist,caniuse-lite,typescript}/**",
	"node_modules/next/**/*.{dev,development}.js",
];

/**
 * Writes the program into a folder below the project's: packages are found from there. The pages must be built.
 * @param root the project's folder.
 * @returns the packages that it contains.
 */
export async function writeDashboardProgram(root: string, folder: string): Promise<ShippedPackage[]> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeModules(root, folder);
	await build({
		input: join(root, "bin", "setup", "up-package.mjs"),
		cwd: root,
		platform: "node",
		output: { file: join(folder, "up.js"), format: "esm", codeSplitting: false },
	});
	// The runner of the demo, and of the machines that install it from this dashboard.
	await writeCommandProgram(root, join(folder, "command"));
	// Links lead to files that have another place in the package.
	for (const file of READ) await cp(join(root, file), join(folder, file), { recursive: true, dereference: true });
	await writePages(root, folder);
	await writeFile(join(folder, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
	const files = await packageFiles(root, folder);
	for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
	const packages = packagesOf(await productionPackages(root));
	await writeFile(join(folder, "THIRD-PARTY-LICENSES"), licenseTexts(packages));
	return packages;
}

async function writeModules(root: string, folder: string): Promise<void> {
	const input: Record<string, string> = {};
	for await (const file of glob(ENTRIES, { cwd: root })) input[file.replace(/\.ts$/, "")] = join(root, file);
	await build({
		input,
		cwd: root,
		platform: "node",
		logLevel: "warn",
		// Own packages are links into the project.
		external: (id, _importer, isResolved) => !isResolved && isForeign(id),
		plugins: [threadsAsJavaScript],
		onLog: (_level, log) => {
			if (log.code === "UNRESOLVED_IMPORT") throw new Remedy(`The dashboard cannot be built: ${log.message}`);
		},
		output: {
			dir: folder,
			format: "esm",
			preserveModules: true,
			preserveModulesRoot: root,
			entryFileNames: "[name].js",
		},
	});
}

const isForeign = (id: string): boolean => !/^[./#]|^@tapedeck\//.test(id);

/** The only names of own files that are not names of modules. */
const threadsAsJavaScript: Plugin = {
	name: "threads-as-javascript",
	transform: (code) => code.replace(/(new URL\("\.\/[\w-]+)\.ts(", import\.meta\.url\))/g, "$1.js$2"),
};

/** The parts of the build that the server reads. */
async function writePages(root: string, folder: string): Promise<void> {
	const built = join(root, ".next");
	const buildId = await readFile(join(built, "BUILD_ID"), "utf8");
	for await (const file of glob("**", { cwd: built, withFileTypes: true })) {
		const path = relative(built, join(file.parentPath, file.name));
		if (!file.isFile() || isLeftOut(path)) continue;
		const place = join(folder, ".next", path);
		await mkdir(dirname(place), { recursive: true });
		await writeFile(place, portable(root, buildId, path, await readFile(join(built, path))));
	}
}

/**
 * @returns a file of the build that is the same in each build of the same sources, and works in each folder. Packages that
 *   the pages share with the server are imported by links, which no archive of npm can have. Keys that Next draws for each
 *   build are for drafts and server actions, which Tapedeck does not use.
 */
export function portable(root: string, buildId: string, path: string, bytes: Buffer): Buffer | string {
	if (path.startsWith("static/") || !/\.(js|json)$/.test(path)) return bytes;
	return bytes
		.toString()
		.replaceAll(JSON.stringify(root), '"/"')
		.replace(/\b(better-auth|kysely|pg|pino|prom-client)-[0-9a-f]{16}(?=["/])/g, "$1")
		.replace(
			// Next also writes them into a string of a script, where the quotation marks have backslashes.
			/(\\?")(encryptionKey|previewMode(?:Id|SigningKey|EncryptionKey))\1: ?\1([^"\\]+)\1/g,
			(_, quote: string, name: string, key: string) =>
				`${quote}${name}${quote}: ${quote}${derivedKey(buildId + name, key)}${quote}`,
		);
}

/** @returns a key of the same form as Next's. */
function derivedKey(seed: string, key: string): string {
	const bytes = createHash("sha256").update(seed).digest();
	return /^[0-9a-f]+$/.test(key) ? bytes.toString("hex").slice(0, key.length) : bytes.toString("base64");
}

const isLeftOut = (path: string): boolean =>
	/^(cache|diagnostics|types|build|turbopack)\/|^(trace|trace-build|turbopack|lock|tapedeck-sources)$|\.map$|\.nft\.json$/.test(
		path,
	);

/** @returns the files of other packages that the program loads or reads. */
async function packageFiles(root: string, folder: string): Promise<string[]> {
	const modules: string[] = [];
	for await (const file of glob("{server,{app,lib,contract,machine,media,clients}/**/*}.js", { cwd: folder }))
		modules.push(join(folder, file));
	const { fileList } = await nodeFileTrace(modules, { base: root, processCwd: root, ignore: OF_DEVELOPMENT });
	const files = new Set([...fileList].filter((file) => file.startsWith("node_modules/")));
	for await (const trace of glob(".next/**/*.nft.json", { cwd: root })) {
		const { files: traced } = JSON.parse(await readFile(join(root, trace), "utf8")) as { files: string[] };
		for (const file of traced) {
			const path = relative(root, join(root, dirname(trace), file));
			if (path.startsWith("node_modules/")) files.add(path);
		}
	}
	for (const file of READ_PACKAGES) files.add(join("node_modules", file));
	return [...files].filter((file) => !UNUSED.test(file)).sort();
}

/**
 * The packages of the lock file that production needs: this includes packages that the pages' scripts contain.
 * @returns a path in each.
 */
async function productionPackages(root: string): Promise<string[]> {
	const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
	return Object.entries<{ dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }>(packages)
		.filter(([path, { dev, optional, devOptional, link }]) => {
			return path.startsWith("node_modules/") && !dev && !optional && !devOptional && !link;
		})
		.map(([path]) => join(root, path, "package.json"));
}
