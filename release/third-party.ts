/** The licences of packages that an artefact contains. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "../bin/setup/remedy.mjs";

export interface ShippedPackage {
	name: string;
	version: string;
	/** The licence, as an SPDX expression. */
	license: string;
	text: string;
}

/**
 * @param files paths of modules.
 * @returns the packages of npm that they belong to, by name.
 * @throws Remedy if a package names no licence or has no text of it.
 */
export function packagesOf(files: readonly string[]): ShippedPackage[] {
	const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
	return [...new Set(folders)].sort().map(packageIn);
}

function packageIn(folder: string): ShippedPackage {
	const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
	if (typeof license !== "string" || license === "")
		throw new Remedy(`The package ${name} names no licence, so it cannot be shipped.`);
	if (texts.length === 0) throw new Remedy(`The package ${name} has no text of its licence, so it cannot be shipped.`);
	const text = texts.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
	return { name, version, license, text };
}

/** @returns a file with the texts of all licences. */
export function licenseTexts(packages: readonly ShippedPackage[]): string {
	const rule = "-".repeat(80);
	const parts = packages.map(
		({ name, version, license, text }) => `${rule}\n${name} ${version}, ${license}\n\n${text}\n`,
	);
	return ["Tapedeck contains these packages, under the licences below.\n", ...parts].join("\n");
}
