/** The npm package `@tapedeck/dashboard`: the dashboard, built, with everything that it loads. */
import { execFile } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeDashboardProgram } from "./dashboard-program.ts";
import type { ShippedPackage } from "./third-party.ts";

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
	await promisify(execFile)("tar", [
		...["--create", "--use-compress-program=gzip -n9", `--file=${archive}`],
		...["--sort=name", `--mtime=@${epoch}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"],
		...["--transform=s,^\\.,package,", "-C", folder, "."],
	]);
	return archive;
}
