/** Recognizes the images that browsers show, by their first bytes, and reads their size. */
import { type ReadableAt, readAt } from "./file-io.ts";

export interface ImageInfo {
	contentType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
	width: number;
	height: number;
}

/** A JPEG has its size after its metadata, which may have a preview in it. */
const MAX_HEAD_BYTES = 512 * 1024;

/** @returns null unless the file of `size` bytes is such an image. @throws only read errors. */
export async function sniffImage(file: ReadableAt, size: number): Promise<ImageInfo | null> {
	const head = await readAt(file, 0, Math.min(size, MAX_HEAD_BYTES));
	if (head.length < 30) return null;
	const magic = head.toString("latin1", 0, 16);
	const found =
		magic.startsWith("\x89PNG\r\n\x1a\n") && magic.endsWith("IHDR")
			? image("image/png", head.readUInt32BE(16), head.readUInt32BE(20))
			: /^GIF8[79]a/.test(magic)
				? image("image/gif", head.readUInt16LE(6), head.readUInt16LE(8))
				: magic.startsWith("RIFF") && magic.startsWith("WEBP", 8)
					? webp(head)
					: magic.startsWith("\xff\xd8\xff")
						? jpeg(head)
						: null;
	return found !== null && found.width > 0 && found.height > 0 ? found : null;
}

const image = (contentType: ImageInfo["contentType"], width: number, height: number): ImageInfo => ({
	contentType,
	width,
	height,
});

/** Lossy, lossless and extended files have their size in different places. */
function webp(head: Buffer): ImageInfo | null {
	switch (head.toString("latin1", 12, 16)) {
		case "VP8 ":
			return image("image/webp", head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
		case "VP8L": {
			const bits = head.readUInt32LE(21);
			return image("image/webp", (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
		}
		case "VP8X":
			return image("image/webp", head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
		default:
			return null;
	}
}

/** Markers of frames; C4, C8 and CC are tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpeg(head: Buffer): ImageInfo | null {
	for (let at = 2; at + 9 <= head.length; ) {
		if (head[at] !== 0xff) return null;
		const marker = head[at + 1] as number;
		// Filling bytes may stand before a marker.
		if (marker === 0xff) {
			at += 1;
			continue;
		}
		if (isFrame(marker)) return image("image/jpeg", head.readUInt16BE(at + 7), head.readUInt16BE(at + 5));
		at += 2 + head.readUInt16BE(at + 2);
	}
	return null;
}
