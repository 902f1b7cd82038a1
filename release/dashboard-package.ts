/** The npm package `@tapedeck/dashboard`: the dashboard, built, with everything that it loads. */
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeDashboardProgram } from "./dashboard-program.ts";
import { licenseTexts, packagesOf, type ShippedPackage } from "./third-party.ts";

/**
 * Writes the package into a folder. The pages must be built.
 * @param root the project's folder.
 * @param folder a folder below the project's, from where packages are found.
 * @returns the packages that it contains.
 */
export async function writeDashboardPackage(root: string, folder: string, version: string): Promise<ShippedPackage[]> {
	await writeDashboardProgram(root, join(folder, "dist"));
	const packages = packagesOf(await productionPackages(root));
	await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
	await cp(join(root, "release", "dashboard-readme.md"), join(folder, "README.md"));
	await writeFile(join(folder, "THIRD-PARTY-LICENSES"), licenseTexts(packages));
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
 * The packages of the lock file that production needs: those that the pages' scripts contain are not told apart.
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
