/** Reads a JPEG image from a request body, up to a size limit. */
import type { IncomingMessage } from "node:http";
import { TapedeckError } from "./errors.ts";

/**
 * @throws unsupported_media_type; payload_too_large beyond `maxBytes`; validation_failed for an incomplete or invalid
 *   JPEG.
 */
export async function readJpeg(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
	if (req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== "image/jpeg") {
		throw new TapedeckError("unsupported_media_type", "Send the image with Content-Type image/jpeg.");
	}
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of req as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > maxBytes) {
			throw new TapedeckError("payload_too_large", `Send an image of at most ${maxBytes / 1024} KiB.`);
		}
		chunks.push(chunk);
	}
	const bytes = Buffer.concat(chunks);
	const isJpeg =
		bytes.length > 4 &&
		bytes.readUInt32BE(0) >>> 8 === 0xffd8ff &&
		bytes.lastIndexOf("\xff\xd9", undefined, "latin1") > 0;
	if (!isJpeg) throw new TapedeckError("validation_failed", "The body is not a complete JPEG image.");
	return bytes;
}
