/** Stores the body of a request as a file of any type, where videos are stored. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { sniffImage } from "@tapedeck/media/sniff-image.ts";
import { inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { syncFolder } from "#lib/core/sync-folder.ts";
import type { RecordingContext } from "../recording-context.ts";
import { assertFileSize, releaseQuota } from "../space/storage-quota.ts";
import { discardVideos } from "../store/object-ledger.ts";
import { receiveBody } from "./receive-body.ts";

/** A stored file, as its row describes it. */
interface StoredFile {
	uploadId: string;
	bytes: number;
	/** Hex. */
	sha256: string;
	objectKey: string | null;
	/** The size of an image that browsers show, in pixels; otherwise null. */
	width: number | null;
	height: number | null;
}

interface NewFile {
	contentType: string;
	maxBytes: number;
	/** The message for a larger file. */
	tooLarge: string;
}

/**
 * @param addRow writes the row that refers to the file, in a transaction. Returns what this returns; null if the file is not
 *   needed.
 * @returns null if the file was not needed. Then, and whenever this throws, nothing is left of it.
 * @throws bad_request if the body broke off; payload_too_large; insufficient_storage; quota_exceeded.
 */
export async function storeFile<T>(
	ctx: RecordingContext,
	req: IncomingMessage,
	{ contentType, maxBytes, tooLarge }: NewFile,
	addRow: (ctx: RecordingContext, file: StoredFile) => Promise<T | null>,
): Promise<T | null> {
	const uploadId = randomBytes(16).toString("hex");
	const files = ctx.videoFiles;
	const part = files.unvalidatedPathOf(uploadId);
	const hash = createHash("sha256");
	let isNeeded = false;
	try {
		await receiveBody(ctx, req, {
			path: part,
			uploadId,
			assertSize: (bytes) => {
				if (bytes > maxBytes) throw new TapedeckError("payload_too_large", tooLarge);
				assertFileSize(ctx, bytes);
			},
			onPiece: (piece) => hash.update(piece),
		});
		await syncFile(part);
		const path = files.pathOf(uploadId);
		await rename(part, path);
		await syncFolder(files.dir);
		const { size: bytes } = await stat(path);
		const file = { uploadId, bytes, sha256: hash.digest("hex"), contentType };
		const added = await keepFile(ctx, file, addRow, (ctx, place) => ctx.leases.stored(ctx, uploadId, place));
		isNeeded = added !== null;
		return added;
	} finally {
		await releaseQuota(ctx, uploadId);
		await rm(part, { force: true });
		if (!isNeeded) await files.remove(uploadId);
	}
}

/** Stores a file that was sent by tus, and whose bytes are all on this disk. The caller removes it if it was not needed. */
export async function storeUploadedFile<T>(
	ctx: RecordingContext,
	uploadId: string,
	contentType: string,
	addRow: (ctx: RecordingContext, file: StoredFile) => Promise<T | null>,
): Promise<T | null> {
	const path = ctx.videoFiles.pathOf(uploadId);
	await syncFile(path);
	await syncFolder(ctx.videoFiles.dir);
	const hash = createHash("sha256");
	let bytes = 0;
	for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
		hash.update(piece);
		bytes += piece.length;
	}
	const file = { uploadId, bytes, sha256: hash.digest("hex"), contentType };
	return keepFile(ctx, file, addRow, (ctx, place) => ctx.leases.complete(ctx, uploadId, place));
}

/** @param noteLease notes in the transaction that the file is complete. */
async function keepFile<T>(
	ctx: RecordingContext,
	{ uploadId, bytes, sha256, contentType }: Pick<StoredFile, "uploadId" | "bytes" | "sha256"> & { contentType: string },
	addRow: (ctx: RecordingContext, file: StoredFile) => Promise<T | null>,
	noteLease: (ctx: RecordingContext, place: { onDisk: boolean }) => Promise<void>,
): Promise<T | null> {
	const path = ctx.videoFiles.pathOf(uploadId);
	const { width, height } = await imageSize(path, bytes, contentType);
	const kept = await ctx.videoStore.keep(uploadId, { path, head: Buffer.alloc(0), fileBytes: bytes, contentType });
	const { objectKey } = kept.columns;
	const added = await inTransaction(ctx, async (ctx) => {
		// Otherwise the row and the reservation would both count.
		await releaseQuota(ctx, uploadId);
		const added = await addRow(ctx, { uploadId, bytes, sha256, objectKey, width, height });
		if (added === null) {
			await discardVideos(ctx, [objectKey]);
			return null;
		}
		await noteLease(ctx, { onDisk: objectKey === null });
		await kept.commit(ctx.db);
		return added;
	});
	if (added !== null) await kept.release();
	return added;
}

/** Pages reserve the space of an image before it is loaded. */
async function imageSize(
	path: string,
	bytes: number,
	contentType: string,
): Promise<Pick<StoredFile, "width" | "height">> {
	const none = { width: null, height: null };
	if (!contentType.startsWith("image/")) return none;
	const file = await open(path);
	try {
		return (await sniffImage(file, bytes)) ?? none;
	} finally {
		await file.close();
	}
}

async function syncFile(path: string): Promise<void> {
	const handle = await open(path, "r+");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
