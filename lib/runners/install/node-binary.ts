/** Node for machines that become runners: the program that runs here, or that of another architecture beside it. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { rootFolder } from "./runner-package.ts";

type NodeArchitecture = "x64" | "arm64";

/** For the machine's own architecture the Node that runs this; for others a package that the operator adds. */
const fileOf = (arch: NodeArchitecture): string =>
	arch === process.arch ? process.execPath : join(rootFolder(), "node_modules", `node-linux-${arch}`, "bin", "node");

/** @returns the program, compressed; null when there is none for this architecture. */
export function openNodeBinary(arch: string): ReadableStream | null {
	if ((arch !== "x64" && arch !== "arm64") || !existsSync(fileOf(arch))) return null;
	const gzip = createGzip({ level: constants.Z_BEST_SPEED });
	// An error ends the response, and the installer finds that the program is not whole.
	pipeline(createReadStream(fileOf(arch)), gzip, () => undefined);
	return Readable.toWeb(gzip) as ReadableStream;
}

const hashes = new Map<NodeArchitecture, Promise<string>>();

/** @returns SHA-256 of the program, in hexadecimal; empty when there is none for this architecture. */
export async function nodeSha256(arch: NodeArchitecture): Promise<string> {
	if (!existsSync(fileOf(arch))) return "";
	const known = hashes.get(arch) ?? sha256Of(fileOf(arch));
	hashes.set(arch, known);
	return known;
}

async function sha256Of(file: string): Promise<string> {
	const hash = createHash("sha256");
	const stream = createReadStream(file, { highWaterMark: 2 ** 20 });
	stream.on("data", (chunk) => hash.update(chunk));
	await finished(stream);
	return hash.digest("hex");
}
