/** The stored files of attachments, and the names under which they are downloaded. */
import { open } from "node:fs/promises";
import { safeFileName } from "@tapedeck/media/content-disposition.ts";
import type { ReadableFile } from "@tapedeck/media/file-io.ts";
import type { Selectable } from "kysely";
import { notFound } from "#lib/core/errors.ts";
import type { AttachmentTable } from "#lib/db/schema.ts";
import type { RecordingContext } from "../recording-context.ts";
import { openObjectOf } from "./open-object.ts";

/** @throws not_found if its file is missing on this dashboard's disk. */
export async function openAttachment(
	ctx: Pick<RecordingContext, "bucket" | "videoFiles">,
	{ uploadId, objectKey, bytes }: Pick<Selectable<AttachmentTable>, "uploadId" | "objectKey" | "bytes">,
): Promise<ReadableFile> {
	if (objectKey !== null) return openObjectOf(ctx, objectKey, bytes);
	try {
		return await open(ctx.videoFiles.pathOf(uploadId), "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notFound("attachment");
		throw error;
	}
}

/** A name that every operating system accepts. */
export function attachmentFileName(name: string): string {
	const [, stem = name, extension = "bin"] = /^(.+)\.([A-Za-z0-9]{1,16})$/.exec(name) ?? [];
	return safeFileName(stem, extension);
}
