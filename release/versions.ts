/**
 * The version stands in package.json, where `npm version` changes it. Some files repeat it, because they are read where
 * package.json is not: write-version.ts writes it into them, and a release refuses one that has another version.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A pattern's first group comes before the version, and its last one after it. */
const REPEATED: readonly (readonly [file: string, pattern: RegExp])[] = [
	["contract/version.ts", /(VERSION = ")([^"]+)(")/g],
	["clients/typescript/package.json", /(^\t"version": ")([^"]+)(")/gm],
	["clients/playwright/package.json", /(^\t"version": "|"@tapedeck\/client": ")([^"]+)(")/gm],
	["server.json", /(^\t+"version": ")([^"]+)(")/gm],
	["deploy/chart/Chart.yaml", /(^(?:version|appVersion): "?)([\d.]+[\w.-]*)("?$)/gm],
	["clients/python/pyproject.toml", /(^version = ")([^"]+)(")/gm],
	["clients/typescript/README.md", /(tapedeck-client-)(\d[\w.-]*?)(\.tgz)/g],
	["clients/playwright/README.md", /(tapedeck-(?:client|playwright)-)(\d[\w.-]*?)(\.tgz)/g],
	["docs/clients.md", /(tapedeck-(?:client|playwright)-)(\d[\w.-]*?)(\.tgz)/g],
];

const read = (root: string, file: string) => readFileSync(join(root, file), "utf8");

/** @param root the project's folder. */
export function projectVersion(root: string): string {
	return JSON.parse(read(root, "package.json")).version;
}

/** @returns a sentence for each file that repeats another version, or none. */
export function versionProblems(root: string): string[] {
	const version = projectVersion(root);
	return REPEATED.flatMap(([file, pattern]) => {
		const found = new Set([...read(root, file).matchAll(pattern)].map((match) => match[2]));
		if (found.size === 1 && found.has(version)) return [];
		const what = found.size === 0 ? "no version" : `version ${[...found].join(" and ")}`;
		return [`${file} has ${what}, and package.json has ${version}: set it with "npm version".`];
	});
}

/** Writes the version of package.json into all files that repeat it. */
export function writeVersion(root: string): void {
	const version = projectVersion(root);
	for (const [file, pattern] of REPEATED) {
		writeFileSync(join(root, file), read(root, file).replace(pattern, `$1${version}$3`));
	}
}
