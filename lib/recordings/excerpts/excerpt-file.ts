/**
 * The file of an excerpt. It has no name once it is open: when it is closed, or when the process ends in whatever way, the file
 * system frees its space.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import type { ByteSource } from "@tapedeck/media/byte-source.ts";
import { writeAt } from "@tapedeck/media/file-io.ts";
import type { Chapter } from "@tapedeck/media/mp4-chapters.ts";
import { progressiveMp4 } from "@tapedeck/media/progressive-mp4.ts";
import type { RecordingContext } from "../recording-context.ts";
import { type RunLimits, runFfmpeg } from "../run-ffmpeg.ts";

export class ExcerptFile {
	readonly handle: FileHandle;
	#bytes = 0;

	private constructor(handle: FileHandle) {
		this.handle = handle;
	}

	/** @throws insufficient_storage */
	static async open({ diskSpace, videoFiles }: Pick<RecordingContext, "diskSpace" | "videoFiles">) {
		await diskSpace.claim(0);
		// After a crash between both calls, the sweep of uploads deletes it.
		const path = videoFiles.unvalidatedPathOf(randomBytes(16).toString("hex"));
		const handle = await open(path, "wx+", 0o600);
		await unlink(path);
		return new ExcerptFile(handle);
	}

	/** Creates an excerpt in a new file, which is closed again if that fails. */
	static async create<T>(
		ctx: Pick<RecordingContext, "diskSpace" | "videoFiles">,
		write: (file: ExcerptFile) => Promise<T>,
	): Promise<{ value: T; bytes: number; discard: () => Promise<void> }> {
		const file = await ExcerptFile.open(ctx);
		try {
			const value = await write(file);
			return { value, bytes: file.bytes, discard: () => file.handle.close() };
		} catch (error) {
			await file.handle.close();
			throw error;
		}
	}

	get bytes(): number {
		return this.#bytes;
	}

	/** Replaces what it has by ffmpeg's output. */
	async fill(args: readonly string[], limits: RunLimits) {
		await this.handle.truncate(0);
		this.#bytes = 0;
		return this.append(args, limits);
	}

	/** Appends ffmpeg's output. */
	async append(args: readonly string[], limits: RunLimits) {
		let fault: unknown = null;
		const result = await runFfmpeg("ffmpeg", args, limits, async (chunk) => {
			await this.write(chunk).catch((error) => {
				fault = error;
				throw error;
			});
		});
		// The fault may be a full disk.
		if (fault !== null) throw fault;
		return result;
	}

	/** Appends. */
	async write(chunk: Buffer): Promise<void> {
		this.#bytes += await writeAt(this.handle, this.#bytes, chunk);
	}

	/** Its fragmented MP4 as a progressive one. @param chapters in seconds. @throws Mp4Error */
	async progressiveMp4(chapters: readonly Chapter[] = []): Promise<ByteSource> {
		const { head, fileBytes } = await progressiveMp4(this.handle, this.#bytes, chapters);
		return this.source(head, fileBytes);
	}

	/** @returns all of it, or its first bytes behind a head, for any number of readers: closing it closes nothing. */
	source(head: Buffer = Buffer.alloc(0), fileBytes = this.#bytes): ByteSource {
		const { handle } = this;
		return { head, fileBytes, handle: { read: handle.read.bind(handle), close: async () => undefined } };
	}
}
