/** The npm package `tapedeck`: the command and the runner, with all that they need in one file. */
import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { Remedy } from "../bin/setup/remedy.mjs";
import { licenseTexts, packagesOf, type ShippedPackage } from "./third-party.ts";

const NODE_MAJOR = 24;

/** Files that the program reads or runs from its own folder, in addition to its modules. */
const BESIDE = ["runner/base/init.sh", "runner/capture/watchdog.sh"];

/** Runs in every Node that npm still runs in. */
const START = `#!/usr/bin/env node
// The tapedeck command.
if (Number(process.versions.node.split(".")[0]) >= ${NODE_MAJOR}) {
	// The program cannot keep what Node compiles of its own file: it is compiled before it runs.
	require("node:module").enableCompileCache(require("node:path").join(__dirname, "..", "node_modules", ".cache", "tapedeck-runner"));
	import("./tapedeck.mjs");
} else {
	console.error("tapedeck: This is Node " + process.versions.node + ", and Tapedeck needs Node ${NODE_MAJOR} or newer. Install it, or run: npx --package node@${NODE_MAJOR} --package tapedeck tapedeck");
	process.exitCode = 1;
}
`;

/**
 * Writes the command into a folder, as one file with the scripts that it runs.
 * @param root the project's folder.
 * @returns the packages that were bundled.
 */
export async function writeCommandProgram(root: string, program: string): Promise<ShippedPackage[]> {
	await mkdir(program, { recursive: true });
	const { output } = await build({
		input: join(root, "runner", "cli.ts"),
		cwd: root,
		platform: "node",
		logLevel: "warn",
		// Rolldown leaves such an import in the file and warns.
		onLog: (_level, log) => {
			if (log.code === "UNRESOLVED_IMPORT") throw new Remedy(`The command cannot be bundled: ${log.message}`);
		},
		output: { file: join(program, "tapedeck.mjs"), format: "esm", codeSplitting: false },
	});
	for (const file of BESIDE) await copyFile(join(root, file), join(program, file.replace(/.*\//, "")));
	await writeFile(join(program, "tapedeck.cjs"), START);
	await chmod(join(program, "tapedeck.cjs"), 0o755);
	const packages = packagesOf(output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])));
	await writeFile(join(program, "THIRD-PARTY-LICENSES"), licenseTexts(packages));
	return packages;
}

/**
 * Places a command in the folder `command` of a clone, where dashboards read it. Processes that do so at the same time place
 * the same one.
 */
export async function placeCommand(root: string, folder: string): Promise<void> {
	const place = join(root, "command");
	const program = (of: string) => readFile(join(of, "tapedeck.mjs"), "utf8").catch(() => null);
	if ((await program(place)) === (await program(folder))) return;
	const partial = `${place}.${process.pid}`;
	await cp(folder, partial, { recursive: true });
	// A dashboard may run as another user than the build did.
	await chmod(partial, 0o755);
	await rm(place, { recursive: true, force: true });
	await rename(partial, place).catch(async (error: NodeJS.ErrnoException) => {
		await rm(partial, { recursive: true });
		if (error.code !== "ENOTEMPTY") throw error;
	});
}

/**
 * Writes the package into a folder.
 * @param root the project's folder.
 * @returns the packages that were bundled.
 */
export async function writeCommandPackage(root: string, folder: string, version: string): Promise<ShippedPackage[]> {
	// Not in the package's own folder: beside it, the command keeps what Node has compiled.
	const packages = await writeCommandProgram(root, join(folder, "dist"));
	await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
	await copyFile(join(root, "release", "command-readme.md"), join(folder, "README.md"));
	const manifest = {
		name: "tapedeck",
		version,
		// The registry of MCP servers accepts a package only if it names the same server.
		mcpName: JSON.parse(await readFile(join(root, "server.json"), "utf8")).name,
		description: "Records X11 displays and test results for a Tapedeck dashboard: the tapedeck command and its runner.",
		license: "Apache-2.0",
		type: "module",
		bin: { tapedeck: "dist/tapedeck.cjs" },
		engines: { node: `>=${NODE_MAJOR}` },
		os: ["linux"],
	};
	await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
	return packages;
}

/** Packs the package in a folder. @returns the archive's path. */
export async function packNpm(folder: string, destination: string): Promise<string> {
	const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", destination], {
		cwd: folder,
	});
	// Output of the package's own build comes first.
	const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
	return join(destination, filename);
}
