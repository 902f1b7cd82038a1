/** What a machine needs to become a runner of this version: the runner as one archive, and Node. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGzip } from "node:zlib";
import { VERSION } from "#lib/contract/version.ts";

/** The folder of this copy of Tapedeck. Not read while modules load: bundles, which Next makes of routes, have none. */
export const rootFolder = (): string => join(import.meta.dirname, "..", "..", "..");

const MAX_PACKAGE_BYTES = 5_000_000;

/** What `npm ci --omit=dev` and a clone would leave on a runner's machine, without what only people read. */
const CONTENT = [
	...["package.json", "LICENSE", "bin/tapedeck", "bin/node24", "lib", "runner", "clients/typescript/src/ci-labels.ts"],
	...["node_modules/sax", "node_modules/zod"],
];
const WITHOUT = ["*.test.ts", "node_modules/zod/src", "*.d.ts", "*.d.cts", "*.cjs"];

export interface RunnerPackage {
	/** A .tar.gz. */
	bytes: Uint8Array<ArrayBuffer>;
	sha256: string;
}

type NodeArchitecture = "x64" | "arm64";

/** Each is made or read once: the files of a running dashboard do not change. */
export class RunnerDownloads {
	#package: Promise<RunnerPackage> | undefined;
	readonly #nodeHashes = new Map<NodeArchitecture, Promise<string>>();

	/** @returns the runner of this copy of Tapedeck. */
	runnerPackage(): Promise<RunnerPackage> {
		this.#package ??= makePackage();
		return this.#package;
	}

	/** @returns the version that a runner has which was installed from here: the package's digest tells builds apart. */
	async runnerVersion(): Promise<string> {
		return `${VERSION}+${(await this.runnerPackage()).sha256.slice(0, 12)}`;
	}

	/** @returns SHA-256 of the program, in hexadecimal; empty when there is none for this architecture. */
	async nodeSha256(arch: NodeArchitecture): Promise<string> {
		if (!existsSync(nodeFile(arch))) return "";
		const known = this.#nodeHashes.get(arch) ?? sha256Of(nodeFile(arch));
		this.#nodeHashes.set(arch, known);
		return known;
	}
}

/** For the machine's own architecture the Node that runs this; for others a package that the operator adds. */
const nodeFile = (arch: NodeArchitecture): string =>
	arch === process.arch ? process.execPath : join(rootFolder(), "node_modules", `node-linux-${arch}`, "bin", "node");

/** @returns the program, compressed; null when there is none for this architecture. */
export function openNodeBinary(arch: string): ReadableStream | null {
	if ((arch !== "x64" && arch !== "arm64") || !existsSync(nodeFile(arch))) return null;
	const gzip = createGzip({ level: constants.Z_BEST_SPEED });
	// An error ends the response, and the installer finds that the program is not whole.
	pipeline(createReadStream(nodeFile(arch)), gzip, () => undefined);
	return Readable.toWeb(gzip) as ReadableStream;
}

async function sha256Of(file: string): Promise<string> {
	const hash = createHash("sha256");
	const stream = createReadStream(file, { highWaterMark: 2 ** 20 });
	stream.on("data", (chunk) => hash.update(chunk));
	await finished(stream);
	return hash.digest("hex");
}

async function makePackage(): Promise<RunnerPackage> {
	const { stdout } = await promisify(execFile)(
		"tar",
		[
			// The same bytes in every dashboard process of this version.
			...["-cz", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=u-w"],
			...WITHOUT.map((pattern) => `--exclude=${pattern}`),
			...["-C", rootFolder(), ...CONTENT, "-C", "docs", "tapedeck-runner.service"],
		],
		{ encoding: "buffer", maxBuffer: MAX_PACKAGE_BYTES },
	);
	return { bytes: new Uint8Array(stdout), sha256: createHash("sha256").update(stdout).digest("hex") };
}
