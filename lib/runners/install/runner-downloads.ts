/** The files that a machine needs to become a runner of this version: the runner as one archive, and Node. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { copyFile, type FileHandle, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import { promisify } from "node:util";
import { VERSION } from "@tapedeck/contract/version.ts";

/** The folder of this copy of Tapedeck. Not read while modules load: bundles, which Next makes of routes, have none. */
export const rootFolder = (): string => join(import.meta.dirname, "..", "..", "..");

const MAX_PACKAGE_BYTES = 5_000_000;
const PIECE_BYTES = 256 * 1024;

export interface RunnerPackage {
	/** A .tar.gz. */
	bytes: Uint8Array<ArrayBuffer>;
	sha256: string;
}

type NodeArchitecture = "x64" | "arm64";

interface NodeArchive {
	/** Has no name any more, so that nothing is left of it. */
	file: FileHandle;
	bytes: number;
}

/** Each is made or read once: the files of a running dashboard do not change. A failure is not kept. */
export class RunnerDownloads {
	#package: Promise<RunnerPackage> | undefined;
	readonly #nodeHashes = new Map<NodeArchitecture, Promise<string>>();
	readonly #nodeArchives = new Map<NodeArchitecture, Promise<NodeArchive>>();

	/** @returns the runner of this copy of Tapedeck. */
	runnerPackage(): Promise<RunnerPackage> {
		this.#package ??= makePackage().catch((error) => {
			this.#package = undefined;
			throw error;
		});
		return this.#package;
	}

	/** @returns the version that a runner has which was installed from here: the package's digest tells builds apart. */
	async runnerVersion(): Promise<string> {
		return `${VERSION}+${(await this.runnerPackage()).sha256.slice(0, 12)}`;
	}

	/** @returns SHA-256 of the program, in hexadecimal; empty when there is none for this architecture. */
	async nodeSha256(arch: NodeArchitecture): Promise<string> {
		return existsSync(nodeFile(arch)) ? once(this.#nodeHashes, arch, () => sha256Of(nodeFile(arch))) : "";
	}

	/** @returns a .tar.gz with the program `node` and its `LICENSE`; null when there is none for this architecture. */
	async openNode(arch: string): Promise<{ body: ReadableStream; bytes: number } | null> {
		if (!isArchitecture(arch) || !existsSync(nodeFile(arch))) return null;
		const { file, bytes } = await once(this.#nodeArchives, arch, () => makeNodeArchive(arch));
		return { body: WebStream.from(piecesOf(file, bytes)) as ReadableStream, bytes };
	}
}

/** Leaves the file open however the reading ends. A stream of its descriptor would close it for the next download, too. */
async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes; ) {
		const wanted = Math.min(PIECE_BYTES, bytes - at);
		const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at);
		if (bytesRead === 0) throw new Error("The archive of Node is shorter than it was.");
		at += bytesRead;
		yield buffer.subarray(0, bytesRead);
	}
}

/** Makes what `kept` does not have yet. A failure is not kept. */
function once<Key, Value>(kept: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
	const known = kept.get(key);
	if (known !== undefined) return known;
	const made = make().catch((error) => {
		kept.delete(key);
		throw error;
	});
	kept.set(key, made);
	return made;
}

/**
 * The Node that runs this process, for the machine's own architecture. For others, a package that the operator adds.
 */
const nodeFile = (arch: NodeArchitecture): string =>
	arch === process.arch ? process.execPath : join(rootFolder(), "node_modules", `node-linux-${arch}`, "bin", "node");

const isArchitecture = (arch: string): arch is NodeArchitecture => arch === "x64" || arch === "arm64";

/** @returns a .tar.gz with `node` and, where Node came with it, its `LICENSE`. */
async function makeNodeArchive(arch: NodeArchitecture): Promise<NodeArchive> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-node-"));
	try {
		const archive = join(folder, "node.tar.gz");
		const program = await realpath(nodeFile(arch));
		// tar fails when a file changes under it, by a new hard link too, as backups and other installations make them.
		const copy = join(folder, basename(program));
		await copyFile(program, copy);
		// Includes the license, as Node's own archives and images do.
		const license = join(dirname(program), "..", "LICENSE");
		const files = [copy, ...(existsSync(license) ? [license] : [])];
		await promisify(execFile)("tar", [
			...["-I", "gzip -1", "-cf", archive, "--owner=0", "--group=0", "--numeric-owner"],
			...files.flatMap((file) => ["-C", dirname(file), basename(file)]),
		]);
		const file = await open(archive);
		return { file, bytes: (await file.stat()).size };
	} finally {
		// The open file lives as long as this process.
		await rm(folder, { recursive: true });
	}
}

async function sha256Of(file: string): Promise<string> {
	const hash = createHash("sha256");
	const stream = createReadStream(file, { highWaterMark: 2 ** 20 });
	stream.on("data", (chunk) => hash.update(chunk));
	await finished(stream);
	return hash.digest("hex");
}

/** Packs the command as it is released: one file, the scripts that it runs, and what starts it. */
async function makePackage(): Promise<RunnerPackage> {
	const { stdout } = await promisify(execFile)(
		"tar",
		[
			// The same bytes in every dashboard process of this version.
			...["-cz", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=u-w"],
			...["--transform=s,^command/,dist/,", "--transform=s,^tapedeck\\.sh$,bin/tapedeck,"],
			...["-C", rootFolder(), "LICENSE", "bin/node24", "command"],
			...["-C", "lib/runners/install", "tapedeck.sh", "-C", "../../../docs", "tapedeck-runner.service"],
		],
		{ encoding: "buffer", maxBuffer: MAX_PACKAGE_BYTES },
	);
	return { bytes: new Uint8Array(stdout), sha256: createHash("sha256").update(stdout).digest("hex") };
}
