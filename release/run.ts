/**
 * Builds a release of the current commit into `dist/`: packages, their SBOMs, checksums and the release notes. Two runs give the
 * same bytes. Publishes nothing.
 *
 * Usage: npm run release
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { openApiText } from "#test/openapi/released-document.ts";
import { fail, Remedy } from "../bin/setup/remedy.mjs";
import { changelogEntry } from "./changelog.ts";
import { packChart } from "./chart-package.ts";
import { releaseProblems } from "./checks.ts";
import { packNpm, writeCommandPackage } from "./command-package.ts";
import { packWhole, writeDashboardPackage } from "./dashboard-package.ts";
import { canBuildImages, type PackedImage, packImages } from "./images.ts";
import { packPython } from "./python-packages.ts";
import { sbomOf } from "./sbom.ts";
import type { ShippedPackage } from "./third-party.ts";
import { projectVersion } from "./versions.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const LICENSE = "Apache-2.0";

async function release(): Promise<void> {
	const problems = releaseProblems(root, await openApiText());
	if (problems.length > 0) throw new Remedy(problems.join("\n"));
	const version = projectVersion(root);
	const epoch = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
	await rm(dist, { recursive: true, force: true });
	try {
		await buildAll(version, epoch);
	} catch (error) {
		// Nobody should publish a part of a release.
		await rm(dist, { recursive: true, force: true });
		throw error;
	}
	process.stdout.write(
		`Built ${version}: ${relative(process.cwd(), dist) || "."}\n${await readFile(join(dist, "SHA256SUMS"), "utf8")}`,
	);
}

async function buildAll(version: string, epoch: string): Promise<void> {
	const describe = describer(version, new Date(Number(epoch) * 1_000));
	for (const folder of ["helm", "npm", "python"]) await mkdir(join(dist, folder), { recursive: true });

	const work = await mkdtemp(join(tmpdir(), "tapedeck-release-"));
	let bundled: ShippedPackage[];
	try {
		bundled = await writeCommandPackage(root, work, version);
		await describe("npm", "tapedeck", await packNpm(work, join(dist, "npm")), bundled);
	} finally {
		await rm(work, { recursive: true });
	}
	const dashboardDir = join(root, ".cache", "dashboard-package");
	const contained = await writeDashboardPackage(root, dashboardDir, version);
	const dashboardFile = join(dist, "npm", `tapedeck-dashboard-${version}.tgz`);
	await describe("npm", "@tapedeck/dashboard", await packWhole(dashboardDir, dashboardFile, epoch), contained);
	for (const name of ["typescript", "playwright"]) {
		const folder = join(root, "clients", name);
		const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
		await describe("npm", manifest.name, await packNpm(folder, join(dist, "npm")));
	}
	for (const file of await packPython(root, join(dist, "python"), epoch))
		await describe("pypi", "tapedeck-client", file);

	await describe("helm", "tapedeck", await packChart(root, join(dist, "helm"), version, epoch));

	if (canBuildImages()) {
		const programs = { dashboard: join(dashboardDir, "dist"), runner: join(dashboardDir, "dist", "command") };
		const packed = await packImages(root, programs, join(dist, "images"), { version, epoch });
		for (const { name, file, system } of packed) {
			const npm = name === "tapedeck-dashboard" ? contained : bundled;
			await describe("oci", name, file, npm, system);
		}
	} else {
		process.stdout.write("The images are left out: buildah is not installed (on Debian: apt-get install buildah).\n");
	}

	const notes = changelogEntry(await readFile(join(root, "CHANGELOG.md"), "utf8"), version);
	await writeFile(join(dist, "RELEASE-NOTES.md"), `${notes}\n`);
	await writeFile(join(dist, "LICENSE"), await readFile(join(root, "LICENSE")));
	await writeChecksums();
}

/** Writes an artefact's SBOM beside it. */
const describer =
	(version: string, timestamp: Date) =>
	async (
		kind: "helm" | "npm" | "oci" | "pypi",
		name: string,
		file: string,
		contained: ShippedPackage[] = [],
		system: PackedImage["system"] = [],
	): Promise<void> => {
		const artefact = { name, version, license: LICENSE, purl: purlOf(kind, name, version) };
		const components = [
			...contained.map((each) => ({ ...each, purl: purlOf("npm", each.name, each.version) })),
			...system.map((each) => ({ ...each, purl: purlOf("deb/debian", each.name, each.version) })),
		];
		await writeFile(`${file}.cdx.json`, sbomOf(file, artefact, components, timestamp));
	};

const purlOf = (kind: string, name: string, version: string): string =>
	`pkg:${kind}/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;

/** In the form that `sha256sum --check` reads. */
async function writeChecksums(): Promise<void> {
	const entries = await readdir(dist, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	const lines = files.sort().map(async (file) => {
		const digest = createHash("sha256").update(await readFile(file));
		return `${digest.digest("hex")}  ${relative(dist, file)}\n`;
	});
	await writeFile(join(dist, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}

release().catch(fail);
