/**
 * `GET /v1/recordings/download`: several recordings with their tracks and attachments as one zip. Files are stored in it as they are,
 * and read while it is sent, one after another: neither memory nor disk holds any of it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ByteSource, sourceLength, writeChunk } from "@tapedeck/media/byte-source.ts";
import { attachmentHeader } from "@tapedeck/media/content-disposition.ts";
import { type ReadableFile, readAt } from "@tapedeck/media/file-io.ts";
import { makeZip, predictLength } from "client-zip";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inParallel } from "../store/fetch-video.ts";
import { fileSize } from "../store/video-store.ts";
import { readNdjson, tracksOf } from "../tracks/track-store.ts";
import { attachmentFileName, openAttachment } from "./attachment-files.ts";
import { fileNameOf } from "./file-name.ts";
import { findVideo, playableOf } from "./find-video.ts";
import { isInBucket, objectBytes, openObject } from "./open-object.ts";
import { mediaSecurityHeaders } from "./serve-video.ts";

const CHUNK_BYTES = 256 * 1024;
const NOTE_NAME = "Left out.txt";

/** The files on the disks of other dashboards. */
export interface FilesElsewhere {
	/**
	 * @param of a finished recording's video, as it is downloaded, or an attachment.
	 * @returns null if no other dashboard has it.
	 * @throws unavailable if the dashboard that has it cannot be reached.
	 */
	find(of: { recordingId: number } | { attachmentId: number }): Promise<FileElsewhere | null>;
}

interface FileElsewhere {
	size: number;
	open(): ReadableFile;
}

/** A file of the zip: a video, a track of it, or an attachment of its tests. */
interface ZippedFile {
	name: string;
	lastModified: Date;
	size: number;
	/** @throws if the recording has changed since: the zip's length has been promised. */
	open(): Promise<ByteSource | AsyncIterable<Buffer>>;
}

/**
 * Serves a zip of what can be downloaded of the recordings, with a text file that lists the others, if any. The response
 * ends early if one is deleted or changes before its turn.
 * @throws not_found if none can be downloaded.
 */
export async function serveZip(
	ctx: RecordingContext,
	{
		ids,
		elsewhere,
		req,
		res,
	}: {
		ids: readonly number[];
		elsewhere: FilesElsewhere;
		req: IncomingMessage;
		res: ServerResponse;
	},
): Promise<void> {
	const { files, leftOut } = await plan(ctx, elsewhere, [...new Set(ids)]);
	if (files.length === 0)
		throw new TapedeckError("not_found", `None of these recordings can be downloaded. ${leftOut.join(" ")}`);
	const note = leftOut.length === 0 ? null : `Not in this download:\n\n${leftOut.join("\n")}\n`;
	const notes = note === null ? [] : [{ name: NOTE_NAME, lastModified: new Date(ctx.clock.now()), input: note }];
	const answer = () =>
		res.writeHead(200, {
			"Content-Type": "application/zip",
			"Content-Length": String(predictLength([...files, ...notes])),
			"Content-Disposition": attachmentHeader(`recordings-${dayOf(ctx.clock.now())}.zip`, true),
			"Cache-Control": "private, no-store",
			"X-Content-Type-Options": "nosniff",
			...mediaSecurityHeaders(ctx),
		});
	if (req.method === "HEAD") {
		answer().end();
		return;
	}
	const open = new Set<ReadableFile>();
	async function* entries() {
		for (const file of files) {
			const source = await file.open();
			if (!("handle" in source)) {
				yield { ...file, input: source };
				continue;
			}
			open.add(source.handle);
			await source.handle.prepare?.(0);
			yield { ...file, input: bytesOf(source) };
			open.delete(source.handle);
			await source.handle.close();
		}
		yield* notes;
	}
	const zip = makeZip(entries()).getReader();
	try {
		// A store that fails does so before the response begins.
		for (let chunk = await zip.read(); !chunk.done; chunk = await zip.read()) {
			if (!res.headersSent) answer();
			if (!(await writeChunk(res, Buffer.from(chunk.value.buffer, chunk.value.byteOffset, chunk.value.length)))) return;
		}
		res.end();
	} finally {
		// Waits for a file that is being opened. The library rejects with its own reason, and leaves files open on errors.
		await zip.cancel().catch(() => undefined);
		for (const handle of open) await handle.close();
	}
}

/** @returns the recordings that can be sent, with their sizes, in the given order; and a sentence for each other one. */
async function plan(
	ctx: RecordingContext,
	elsewhere: FilesElsewhere,
	ids: readonly number[],
): Promise<{ files: ZippedFile[]; leftOut: string[] }> {
	const found = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("id", "in", ids)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("deletedAt", "is", null)
		.execute();
	const rows = new Map(found.map((row) => [row.id, row]));
	const planned = await inParallel(ids, async (id): Promise<(ZippedFile | string)[]> => {
		const row = rows.get(id);
		if (row === undefined) return [`Recording ${id} does not exist. It may have been deleted.`];
		const video = await planVideo(ctx, elsewhere, row);
		if (typeof video === "string") return [video];
		return [video, ...(await planTracks(ctx, row)), ...(await planAttachments(ctx, elsewhere, row))];
	});
	const all = planned.flat();
	return {
		files: all.filter((each) => typeof each !== "string"),
		leftOut: all.filter((each) => typeof each === "string"),
	};
}

/** @returns why it cannot be sent, if so. */
async function planVideo(
	ctx: RecordingContext,
	elsewhere: FilesElsewhere,
	row: RecordingRow,
): Promise<ZippedFile | string> {
	const which = `recording ${row.id} (${row.name})`;
	if (row.state === "live") return `Recording ${row.id} (${row.name}) is still in progress.`;
	const size = await downloadSize(ctx, row);
	if (size !== null) return zippedFile(row, size, () => openVideo(ctx, row.id, size));
	const video = await findElsewhere(elsewhere, { recordingId: row.id }, which);
	return typeof video === "string" ? video : zippedFile(row, video.size, sourceOf(video));
}

/** @returns why the file cannot be sent, if so. */
async function findElsewhere(
	elsewhere: FilesElsewhere,
	of: Parameters<FilesElsewhere["find"]>[0],
	which: string,
): Promise<FileElsewhere | string> {
	try {
		return (await elsewhere.find(of)) ?? `The file of ${which} is missing.`;
	} catch (error) {
		if ((error as { code?: unknown }).code !== "unavailable") throw error;
		return `The dashboard that has ${which} cannot be reached. Try again when it runs.`;
	}
}

const sourceOf =
	({ size, open }: { size: number; open(): ReadableFile | Promise<ReadableFile> }) =>
	async (): Promise<ByteSource> => ({ head: Buffer.alloc(0), fileBytes: size, handle: await open() });

/** Names are unique by the recording's id, also where case doesn't count. */
const zippedFile = (row: RecordingRow, size: number, open: ZippedFile["open"], extension?: string): ZippedFile => ({
	name: fileNameOf(row, `_${dayOf(row.createdAt)}_${row.id}`, extension),
	lastModified: new Date(row.createdAt),
	size,
	open,
});

/** The tracks of the recording as they are now. */
async function planTracks(ctx: RecordingContext, row: RecordingRow): Promise<ZippedFile[]> {
	const tracks = row.jobId === null ? [] : await tracksOf(ctx, row.jobId);
	return tracks.map(({ id, name, bytes }) =>
		zippedFile(row, bytes, async () => readNdjson(ctx, id, bytes), `${name}.ndjson`),
	);
}

/** The attachments of the recording's tests, in a folder beside the video. */
async function planAttachments(
	ctx: RecordingContext,
	elsewhere: FilesElsewhere,
	row: RecordingRow,
): Promise<(ZippedFile | string)[]> {
	const attachments = await ctx.db
		.selectFrom("attachment")
		.innerJoin("testResult", "testResult.id", "attachment.resultId")
		.selectAll("attachment")
		.where((result) =>
			row.jobId === null ? result("testResult.recordingId", "=", row.id) : result("testResult.jobId", "=", row.jobId),
		)
		.orderBy("attachment.id")
		.execute();
	return inParallel(attachments, async (attachment) => {
		const { id, name, bytes, objectKey, uploadId } = attachment;
		const path = `attachments/${id}-${attachmentFileName(name)}`;
		const isHere = objectKey !== null || (await fileSize(ctx.videoFiles.pathOf(uploadId))) !== null;
		const open = () => openAttachment(ctx, attachment);
		const file = isHere
			? { size: bytes, open }
			: await findElsewhere(elsewhere, { attachmentId: id }, `attachment ${id} (${name})`);
		return typeof file === "string" ? file : zippedFile(row, file.size, sourceOf(file), path);
	});
}

const dayOf = (ms: number): string => timestamp(ms).slice(0, 10);

/** @returns null if its file is missing, or on the disk of another dashboard. */
async function downloadSize(ctx: RecordingContext, row: RecordingRow): Promise<number | null> {
	if (isInBucket(row)) return objectBytes(row);
	const isKnown = row.state === "ready" && row.downloadBytes !== null;
	if (isKnown && (await fileSize(ctx.videoFiles.pathOf(row.uploadId))) !== null) return row.downloadBytes;
	try {
		return await findVideo(ctx, row.id, {
			inBucket: async (row) => objectBytes(row),
			onDisk: async (row, video) => sourceLength(playableOf(row, video)),
		});
	} catch (error) {
		if ((error as { code?: unknown }).code === "not_found") return null;
		throw error;
	}
}

async function openVideo(ctx: RecordingContext, recordingId: number, size: number): Promise<ByteSource> {
	const source = await findVideo<ByteSource>(ctx, recordingId, {
		inBucket: async (row) => ({ head: Buffer.alloc(0), fileBytes: objectBytes(row), handle: openObject(ctx, row) }),
		onDisk: async (row, video) => ({ ...playableOf(row, video), handle: await video.open() }),
	});
	if (sourceLength(source) === size) return source;
	await source.handle.close();
	throw new Error(`Recording ${recordingId} has changed while it was waiting to be sent.`);
}

/** Each chunk is new: several wait in the zip's queues. */
async function* bytesOf({ head, fileBytes, handle }: ByteSource): AsyncGenerator<Buffer> {
	if (head.length > 0) yield head;
	for (let at = 0; at < fileBytes; at += CHUNK_BYTES) {
		const wanted = Math.min(CHUNK_BYTES, fileBytes - at);
		const chunk = await readAt(handle, at, wanted);
		if (chunk.length < wanted) throw new Error("A video file is shorter than its recording says.");
		yield chunk;
	}
}
