/** Reads a JPEG image from a request body, up to a size limit. */
import { plainType } from "@tapedeck/contract/media-type.ts";
import { TapedeckError } from "./errors.ts";

/** A request's body that has not been read yet. */
export interface RequestBody {
	/** The request's Content-Type. */
	readonly type: string | null;
	/** @throws payload_too_large beyond `maxBytes`; request_timeout; bad_request if the connection breaks. */
	read(maxBytes: number): Promise<Buffer>;
}

/** @throws unsupported_media_type; validation_failed for an incomplete or invalid JPEG; the errors of `body.read`. */
export async function readJpeg(body: RequestBody, maxBytes: number): Promise<Buffer> {
	if (plainType(body.type) !== "image/jpeg") {
		throw new TapedeckError("unsupported_media_type", "Send the image with Content-Type image/jpeg.");
	}
	const bytes = await body.read(maxBytes);
	const isJpeg =
		bytes.length > 4 &&
		bytes.readUInt32BE(0) >>> 8 === 0xffd8ff &&
		bytes.lastIndexOf("\xff\xd9", undefined, "latin1") > 0;
	if (!isJpeg) throw new TapedeckError("validation_failed", "The body is not a complete JPEG image.");
	return bytes;
}
