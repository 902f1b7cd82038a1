/** Checks of uploads that are images, documents or other files. Videos: see video-type.ts. */
import type { FileHandle } from "node:fs/promises";
import { plainType } from "@tapedeck/contract/media-type.ts";
import { recordingKindSchema } from "@tapedeck/contract/recording.ts";
import type { RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import { sniffImage } from "@tapedeck/media/sniff-image.ts";
import type { StoredContent } from "#lib/lifecycle/recording-store.ts";
import { refusedType } from "./video-type.ts";

const MAX_TYPE = 100;
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;

export const NO_IMAGE =
	"The file is not a complete PNG, JPEG, GIF or WebP image. Send the whole file, or another kind.";

/** The kind in an upload's metadata; a video if they name none, or one that is not known. */
export const kindOf = (kind: string | null | undefined): RecordingKind =>
	recordingKindSchema.safeParse(kind).data ?? "video";

/** Whether a file of this kind and media type may be sent. @returns why not, as a sentence; null if it may. */
export function refusedFile(kind: RecordingKind, type: string | null | undefined, field: string): string | null {
	if (kind === "video") return refusedType(type, field);
	const plain = plainType(type);
	if (plain === "" || (plain.length <= MAX_TYPE && TYPE.test(plain))) return null;
	return `Send ${field} as a media type such as text/plain, or leave it out.`;
}

/**
 * Inspects a file of `size` bytes that is no video.
 * @returns its columns; null for an image that is none.
 * @throws only read errors.
 */
export async function inspectFile(
	kind: Exclude<RecordingKind, "video">,
	type: string | null | undefined,
	file: FileHandle,
	size: number,
): Promise<(StoredContent & { contentType: string }) | null> {
	const stored = { bytes: size, downloadBytes: null, durationSeconds: 0, width: null, height: null };
	if (kind === "image") {
		const image = await sniffImage(file, size);
		return image === null ? null : { ...stored, ...image };
	}
	return { ...stored, contentType: plainType(type) || "application/octet-stream" };
}
