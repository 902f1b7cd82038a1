/** The project's npm packages, and Node 24 among them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "./remedy.mjs";
import { findProgram, lastLines, root, run, say, withoutPackages, withPackages } from "./run.mjs";

const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

/** Whether node_modules holds what the lock file says, judged by npm's own note of what it installed. */
function isInstalled() {
	try {
		const installed = read("node_modules/.package-lock.json");
		return Object.entries(read("package-lock.json")).every(
			([path, { version, integrity, optional }]) =>
				path === "" ||
				(installed[path] === undefined
					? optional === true
					: installed[path].version === version && installed[path].integrity === integrity),
		);
	} catch {
		return false;
	}
}

/**
 * Runs `npm ci` when the lock file and node_modules differ.
 * @throws Remedy when npm fails or there is no Node 24 in the end.
 */
export async function ensureNodePackages() {
	if (!isInstalled()) {
		say("Installing Node packages (npm ci) …");
		// Without devDependencies there would be no TypeScript and no CSS compiler to build with.
		const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
		const { code, output } = await run("npm", args, { env: withoutPackages(), quiet: true });
		if (code !== 0) {
			throw new Remedy(`npm ci failed; mend what it says, then start again:\n${lastLines(output)}`);
		}
	}
	await node24();
}

let found;
/** @returns the path of a Node 24 or newer: the one of the lock file, else the system's. */
export async function node24() {
	if (found !== undefined) return found;
	const node = findProgram("node", withPackages().PATH);
	const { output } = node === null ? { output: "none" } : await run(node, ["--version"], { quiet: true });
	if (Number(/^v(\d+)/.exec(output.trim())?.[1] ?? 0) < 24) {
		throw new Remedy(
			`Tapedeck runs on Node 24, and this machine (${process.platform} ${process.arch}) has ${output.trim()}: install Node 24 from https://nodejs.org, then start again.`,
		);
	}
	found = node;
	return node;
}
