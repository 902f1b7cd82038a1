/** A file that is uploaded as it was found. It stops being readable as soon as it changes. */
import { createHash } from "node:crypto";
import { constants, type FileHandle, open } from "node:fs/promises";
import type { VideoSource } from "../video/recorded-video.ts";
import type { FoundFile } from "./scan-folder.ts";

/** A link, a FIFO or a device that has taken the file's place is not opened, or does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CHUNK_BYTES = 1 << 20;

/** The size of a video whose recorder (docker-selenium's ffmpeg) was killed before the video had an index. */
const HEAD_ALONE_BYTES = 28;
/** A file that is named like a video was to be one. */
export const VIDEO = /\.(mp4|m4v|webm)$/i;

/** Why a file of this size and name is not uploaded, as the end of a sentence; null if it may be. */
export function whyUnusable({ name, bytes }: Pick<FoundFile, "name" | "bytes">): string | null {
	if (VIDEO.test(name) && bytes <= HEAD_ALONE_BYTES)
		return "it has no video in it. Its recorder was killed, or has not begun";
	return bytes === 0 ? "it is empty" : null;
}

export class FileChangedError extends Error {
	override name = "FileChangedError";
}

export class UnchangedFile implements VideoSource {
	readonly sealed = true;
	readonly available: number;
	readonly #handle: FileHandle;
	readonly #found: FoundFile;

	private constructor(handle: FileHandle, found: FoundFile) {
		this.#handle = handle;
		this.#found = found;
		this.available = found.bytes;
	}

	/** @throws FileChangedError; the errors of the file system. */
	static async open(found: FoundFile): Promise<UnchangedFile> {
		const handle = await open(found.path, FLAGS);
		const file = new UnchangedFile(handle, found);
		try {
			await file.refresh();
		} catch (error) {
			await handle.close();
			throw error;
		}
		return file;
	}

	async refresh(): Promise<void> {
		const { bytes, changedAt, name } = this.#found;
		const stat = await this.#handle.stat();
		if (!stat.isFile() || stat.size !== bytes || stat.mtimeMs !== changedAt) throw new FileChangedError(name);
	}

	async read(from: number, into: Buffer): Promise<number> {
		const { bytesRead } = await this.#handle.read(into, 0, Math.min(into.length, this.available - from), from);
		if (bytesRead === 0 && from < this.available) throw new FileChangedError(this.#found.name);
		return bytesRead;
	}

	/** @returns null when the signal aborts. */
	async sha256(signal: AbortSignal): Promise<string | null> {
		const hash = createHash("sha256");
		const chunk = Buffer.alloc(CHUNK_BYTES);
		for (let at = 0; at < this.available; ) {
			if (signal.aborted) return null;
			const bytes = await this.read(at, chunk);
			hash.update(chunk.subarray(0, bytes));
			at += bytes;
		}
		await this.refresh();
		return hash.digest("hex");
	}

	close(): Promise<void> {
		return this.#handle.close();
	}
}
