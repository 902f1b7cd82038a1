/**
 * The hot path of uploads: a runner's next piece of a recording, twice a second from each. It is what the tus library
 * does for a PATCH, without its web streams, and with what is needed for the next piece kept from one to the next: the
 * upload's record, its open file and its offset. Everything unusual is left to the library.
 */
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ERRORS } from "@tus/server";
import type { GrowingVideo } from "#lib/media/growing-video.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import { jobIdOfUpload } from "./owner.ts";
import type { UploadLocks } from "./tus-locker.ts";
import type { UploadSession } from "./upload-session.ts";

/** Larger pieces are streamed to the disk by the library. A runner catches up with them. */
const MAX_PIECE_BYTES = 256 * 1024;
/** A file is closed when no piece has come for so long. */
const IDLE_MS = 10_000;
/** A piece that takes longer to arrive is streamed by the library, so that live viewers need not wait for its end. */
const SLOW_MS = 200;
const NEVER = new AbortController().signal;

/** An upload that is being appended to. */
interface OpenUpload {
	file: FileHandle;
	video: GrowingVideo;
	/** The size of the file. */
	offset: number;
	/** The size that it will have; undefined until the recording has ended. */
	size: number | undefined;
	usedAt: number;
}

export class PieceAppender {
	readonly #files: VideoFiles;
	readonly #locks: UploadLocks;
	readonly #open = new Map<string, OpenUpload>();
	#timer: NodeJS.Timeout | null = null;

	constructor(files: VideoFiles, locks: UploadLocks) {
		this.#files = files;
		this.#locks = locks;
	}

	/** @returns the id of the upload if the request is a piece of a recording that this class can take; else null. */
	uploadOf({ method, url, headers }: IncomingMessage): string | null {
		if (method !== "PATCH" || headers["content-type"] !== "application/offset+octet-stream") return null;
		if (headers["tus-resumable"] === undefined || headers["upload-length"] !== undefined) return null;
		const bytes = Number(headers["content-length"]);
		if (!(bytes > 0 && bytes <= MAX_PIECE_BYTES) || !/^\d{1,15}$/.test(String(headers["upload-offset"]))) return null;
		const uploadId = /\/(job-\d{1,16})$/.exec(url ?? "")?.[1];
		return uploadId !== undefined && jobIdOfUpload(uploadId) !== null ? uploadId : null;
	}

	/**
	 * Stores a piece and answers. What arrives of a piece whose connection breaks is stored, too.
	 * @returns false if the piece arrives slowly; then nothing was done, and the library streams it to the disk.
	 * @throws a refusal as the tus library expects it.
	 */
	async append(uploadId: string, session: UploadSession, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
		await session.authorizePiece(uploadId);
		const body = await bodyOf(req);
		if (body === null) return false;
		const { piece, complete } = body;
		const offset = Number(req.headers["upload-offset"]);
		const lock = this.#locks.newLock(uploadId);
		// The body is here: whoever waits for the lock need not ask for it.
		await lock.lock(NEVER, () => undefined);
		let written: OpenUpload;
		try {
			// Another process may have had the upload until now.
			if (!this.#open.has(uploadId)) await session.storedBytes(uploadId);
			written = await session.withSpace(uploadId, () =>
				this.#files.use(uploadId, true, (video) => this.#write(uploadId, session, video, offset, piece)),
			);
		} catch (error) {
			// The file may be longer or shorter than was thought.
			await this.close(uploadId);
			throw (error as NodeJS.ErrnoException).code === "ENOENT" ? ERRORS.FILE_NOT_FOUND : error;
		} finally {
			await lock.unlock();
		}
		const end = offset + piece.length;
		if (end === written.size) await session.finish({ id: uploadId, offset: end });
		if (!complete) return true;
		res.writeHead(204, { "tus-resumable": "1.0.0", "upload-offset": String(end) });
		res.end();
		return true;
	}

	/** Forgets what is known about an upload. Call with its lock held, before anything else changes it. */
	async close(uploadId: string): Promise<void> {
		const upload = this.#open.get(uploadId);
		this.#open.delete(uploadId);
		await upload?.file.close();
	}

	/** Closes every file. Pieces that come later open theirs again. */
	async closeAll(): Promise<void> {
		if (this.#timer !== null) clearInterval(this.#timer);
		this.#timer = null;
		await Promise.all([...this.#open.keys()].map((uploadId) => this.close(uploadId)));
	}

	async #write(
		uploadId: string,
		session: UploadSession,
		video: GrowingVideo,
		offset: number,
		piece: Buffer,
	): Promise<OpenUpload> {
		const upload = await this.#openFor(uploadId, session, video);
		const end = offset + piece.length;
		if (upload.offset !== offset) throw ERRORS.INVALID_OFFSET;
		if (upload.size !== undefined && end > upload.size) throw ERRORS.ERR_SIZE_EXCEEDED;
		const store = await session.chunkWriter(uploadId, upload.file, video);
		await store(offset, piece);
		upload.offset = end;
		upload.usedAt = performance.now();
		return upload;
	}

	async #openFor(uploadId: string, session: UploadSession, video: GrowingVideo): Promise<OpenUpload> {
		const known = this.#open.get(uploadId);
		// Another video means that the file was deleted or replaced.
		if (known?.video === video) return known;
		await this.close(uploadId);
		const record = await session.record(uploadId);
		if (record === undefined) throw ERRORS.FILE_NOT_FOUND;
		const file = await open(this.#files.pathOf(uploadId), "r+");
		try {
			const { size } = await file.stat();
			const upload = { file, video, offset: size, size: record.size, usedAt: performance.now() };
			this.#open.set(uploadId, upload);
			this.#timer ??= setInterval(() => this.#closeIdle(), IDLE_MS).unref();
			return upload;
		} catch (error) {
			await file.close();
			throw error;
		}
	}

	#closeIdle(): void {
		for (const [uploadId, { usedAt }] of this.#open) {
			if (performance.now() - usedAt >= IDLE_MS) this.#closeLocked(uploadId).catch(() => undefined);
		}
		if (this.#open.size > 0 || this.#timer === null) return;
		clearInterval(this.#timer);
		this.#timer = null;
	}

	async #closeLocked(uploadId: string): Promise<void> {
		const lock = this.#locks.newLock(uploadId);
		await lock.lock(NEVER, () => undefined);
		await this.close(uploadId).finally(() => lock.unlock());
	}
}

/** Without a listener, a broken connection would end the process. This one keeps no piece from being freed. */
const ignore = () => undefined;

/**
 * Reads a body, or as much of it as arrives before the connection breaks.
 * @returns null if it takes long to arrive; then the request can be read from its beginning.
 */
async function bodyOf(req: IncomingMessage): Promise<{ piece: Buffer; complete: boolean } | null> {
	if (req.closed) return { piece: Buffer.alloc(0), complete: false };
	// Mostly a piece arrives together with its headers.
	if (req.readableLength === Number(req.headers["content-length"])) {
		const piece = req.read() as Buffer;
		req.on("error", ignore).resume();
		return { piece, complete: true };
	}
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		const whole = () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
		const onData = (chunk: Buffer) => void chunks.push(chunk);
		const onEnd = () => settle({ piece: whole(), complete: true });
		const onBreak = () => settle({ piece: whole(), complete: false });
		const timer = setTimeout(() => {
			req.pause();
			settle(null);
			if (chunks.length > 0) req.unshift(whole());
		}, SLOW_MS);
		function settle(body: { piece: Buffer; complete: boolean } | null): void {
			clearTimeout(timer);
			req.off("data", onData).off("end", onEnd).off("close", onBreak).off("error", onBreak).on("error", ignore);
			resolve(body);
		}
		req.on("error", onBreak).on("data", onData).on("end", onEnd).on("close", onBreak);
	});
}
