/** `GET /v1/attachments/{id}`: sends an attachment so that nothing in it can run as a page of the dashboard. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { servedAs, shownAs } from "@tapedeck/contract/attachment-kinds.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { attachmentFileName, openAttachment } from "#lib/recordings/playback/attachment-files.ts";
import { mediaSecurityHeaders } from "#lib/recordings/playback/serve-video.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { findAttachment } from "./attachments.ts";

/** @throws not_found; range_not_satisfiable */
export async function serveAttachment(
	ctx: RecordingContext,
	call: { attachmentId: number; download: boolean; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	const row = await findAttachment(ctx, call.attachmentId);
	const handle = await openAttachment(ctx, row);
	await serveBytes(
		call.req,
		call.res,
		{ head: Buffer.alloc(0), fileBytes: row.bytes, handle },
		{
			// Its bytes never change.
			etag: `"${row.sha256.slice(0, 32)}"`,
			cacheControl: "private, max-age=3600",
			contentType: servedAs(row.contentType),
			fileName: attachmentFileName(row.name),
			download: call.download || shownAs(row.contentType) === "file",
			headers: {
				...mediaSecurityHeaders(ctx),
				// The trace viewer reads it from another origin. Anyone who has the signed URL may.
				...(ctx.actor.kind === "link" && ctx.actor.recordingId === null ? { "Access-Control-Allow-Origin": "*" } : {}),
			},
			rangeError: (length) =>
				new TapedeckError(
					"range_not_satisfiable",
					length === 0
						? "The file is empty. Request it without a range."
						: `The file has ${length} bytes. Request a range from 0 to ${length - 1}.`,
					{ headers: { "content-range": `bytes */${length}` } },
				),
		},
	);
}
