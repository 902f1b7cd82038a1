/** Checks of both ways to upload: the media type that the caller states, and the type that the file has. */
import { type FileHandle, open } from "node:fs/promises";
import { plainType } from "@tapedeck/contract/media-type.ts";
import { VIDEO_TYPES } from "@tapedeck/contract/recording.ts";
import { sniffMp4, unsupportedFormat, type VideoInfo } from "@tapedeck/media/sniff-video.ts";
import { readEbml } from "@tapedeck/media/webm.ts";
import type { RecordingContext } from "../recording-context.ts";
import { probeWebm } from "./probe-webm.ts";

const unsupported = (name: string): string => `${name} isn't supported; send MP4 or WebM.`;

/**
 * Whether a file of this media type may be sent. Without one, and for one that says nothing, its content shows what it is.
 * @returns why not, as a sentence; null if it may.
 */
export function refusedType(type: string | null | undefined, field: string): string | null {
	const plain = plainType(type);
	if (plain === "" || plain === "application/octet-stream" || (VIDEO_TYPES as readonly string[]).includes(plain))
		return null;
	if (/^(video|audio|application)\/(x-)?matroska/.test(plain)) return unsupported("Matroska (.mkv)");
	return `Send ${field} as ${VIDEO_TYPES.join(", ")} or application/octet-stream, or leave it out.`;
}

/**
 * @param path of a file of `size` bytes, which is open.
 * @returns the metadata of a video that browsers may be able to play; null if it is none, or not complete.
 * @throws only read errors.
 */
export async function inspectVideo(
	ctx: RecordingContext,
	path: string,
	file: FileHandle,
	size: number,
): Promise<VideoInfo | null> {
	const ebml = await readEbml(file, size);
	if (ebml === null) return sniffMp4(file, size);
	if (ebml.type !== "webm" || !ebml.isComplete) return null;
	const webm = await ctx.frameGrabber.check(ctx, () => probeWebm(path));
	return webm === null ? null : { contentType: "video/webm", index: null, ...webm };
}

/** @returns why a file is not accepted: that its format isn't supported, or `otherwise`. */
export async function whyNoVideo(path: string, otherwise: string): Promise<string> {
	const file = await open(path).catch(() => null);
	if (file === null) return otherwise;
	try {
		const name = await unsupportedFormat(file, (await file.stat()).size);
		return name === null ? otherwise : unsupported(name);
	} finally {
		await file.close();
	}
}
