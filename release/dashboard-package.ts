/** The npm package `@tapedeck/dashboard`: the dashboard, built, with everything that it loads. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDashboardProgram } from "./dashboard-program.ts";
import type { ShippedPackage } from "./third-party.ts";
import { writeArchive } from "./write-archive.ts";

/**
 * Writes the package into a folder. The pages must be built.
 * @param root the project's folder.
 * @param folder a folder below the project's, from where packages are found.
 * @returns the packages that it contains.
 */
export async function writeDashboardPackage(root: string, folder: string, version: string): Promise<ShippedPackage[]> {
	const packages = await writeDashboardProgram(root, join(folder, "dist"));
	await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
	await cp(join(root, "release", "dashboard-readme.md"), join(folder, "README.md"));
	const manifest = {
		name: "@tapedeck/dashboard",
		version,
		description: "The dashboard of Tapedeck, a self-hosted recorder of test runs, with a demo display.",
		license: "Apache-2.0",
		type: "module",
		engines: { node: ">=24" },
		os: ["linux"],
	};
	await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
	return packages;
}

/**
 * Packs the folder of a package that has the files of others, which npm would leave out.
 * @param epoch the time that the archive's files have, in seconds since 1970.
 * @returns the path of the archive.
 */
export async function packWhole(folder: string, archive: string, epoch: string): Promise<string> {
	const words = ["--use-compress-program=gzip -n9", "--transform=s,^\\.,package,", "-C", folder, "."];
	return writeArchive(archive, epoch, words);
}
