/** The licences of packages that an artefact contains. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
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
	const packages = [...new Set(folders)].sort().map(packageIn);
	// npm has the same version in several folders where others are between them.
	return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

/** Packages whose manifest names no licence, and the one that their documentation names. */
const DOCUMENTED: Readonly<Record<string, string>> = { "combine-errors": "MIT" };

function packageIn(folder: string): ShippedPackage {
	const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const { name, version, license = DOCUMENTED[name] } = manifest;
	const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
	if (typeof license !== "string" || license === "")
		throw new Remedy(`The package ${name} names no licence, so it cannot be shipped.`);
	const text =
		texts.length > 0
			? texts.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n")
			: standardText(license, manifest.author);
	if (text === null) throw new Remedy(`The package ${name} has no text of its licence, so it cannot be shipped.`);
	return { name, version, license, text };
}

/** Tapedeck is under this licence, too. */
const OWN = join(import.meta.dirname, "..", "LICENSE");

/** Some packages only name their licence. @returns its text; null for a licence that is not among the usual ones. */
function standardText(license: string, author: string | { name?: string } | undefined): string | null {
	const holder = (typeof author === "string" ? author : author?.name) ?? "the authors of the package";
	const file = license === "Apache-2.0" ? OWN : join(import.meta.dirname, "licenses", `${license}.txt`);
	return existsSync(file) ? readFileSync(file, "utf8").trim().replace("<copyright holders>", holder) : null;
}

/** @returns a file with the texts of all licences. */
export function licenseTexts(packages: readonly ShippedPackage[]): string {
	const rule = "-".repeat(80);
	const parts = packages.map(
		({ name, version, license, text }) => `${rule}\n${name} ${version}, ${license}\n\n${text}\n`,
	);
	return ["Tapedeck contains these packages, under the licences below.\n", ...parts].join("\n");
}
