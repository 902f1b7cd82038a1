/** Finds the part of a display that differs between two of its pictures. */
import type { Context } from "#lib/core/context.ts";
import { runFfmpeg } from "../run-ffmpeg.ts";
import type { FrameGrabber } from "./grab-frame.ts";

/** In pixels from the top left corner of the whole picture. */
export interface Rectangle {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Pictures are coded in blocks of 16 × 16 pixels. A block that has not changed is decoded to the same bytes again. */
const BLOCK = 16;
/** Share of the picture. A larger part is not worth encoding separately. */
const LARGEST_PART = 0.6;
/** ffmpeg's, as in the whole picture. */
const QUALITY = "3";
const LIMITS = { cpuSeconds: 5, timeoutMs: 10_000 };
const INPUT = ["-v", "error", "-threads", "1", "-protocol_whitelist", "pipe", "-f", "mjpeg", "-i", "pipe:0"];

/**
 * @param before a JPEG as our runners encode it.
 * @param after another one.
 * @returns the smallest rectangle of blocks with all that has changed, as a JPEG; "same" if nothing has; "whole" if most of it
 *   has, if the sizes differ, without ffmpeg, and if it takes too long.
 * @throws too_many_requests when the caller has many waiting.
 */
export async function changedPart(
	{ actor, frameGrabber }: Pick<Context, "actor"> & { frameGrabber: FrameGrabber },
	{ before, after }: { before: Buffer; after: Buffer },
	signal: AbortSignal,
): Promise<{ jpeg: Buffer; rectangle: Rectangle } | "same" | "whole"> {
	const size = sizeOf(after);
	const earlier = sizeOf(before);
	if (size === null || earlier?.width !== size.width || earlier.height !== size.height) return "whole";
	const work = async () => {
		const rectangle = await compare(before, after, size, signal);
		if (rectangle === null || rectangle === "same") return rectangle ?? "whole";
		if (rectangle.width * rectangle.height > LARGEST_PART * size.width * size.height) return "whole";
		const jpeg = await cutOut(after, rectangle, signal);
		return jpeg === null ? "whole" : { jpeg, rectangle };
	};
	return (await frameGrabber.queue({ actor }, work, signal)) ?? "whole";
}

/** @returns null if ffmpeg could not decode both. */
async function compare(
	before: Buffer,
	after: Buffer,
	{ width, height }: { width: number; height: number },
	signal: AbortSignal,
): Promise<Rectangle | "same" | null> {
	const [halfWidth, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
	const bytes = width * height + 2 * halfWidth * halfHeight;
	const output = ["-fps_mode", "passthrough", "-pix_fmt", "yuvj420p", "-f", "rawvideo", "pipe:1"];
	const input = Buffer.concat([before, after]);
	const limits = { ...LIMITS, input, signal, maxOutputBytes: 2 * bytes + 1 };
	const { stdout, reason } = await runFfmpeg("ffmpeg", [...INPUT, ...output], limits);
	if (reason !== null || stdout.length !== 2 * bytes) return null;
	const found = { left: width, top: height, right: 0, bottom: 0 };
	/** @param scale how many pixels of the picture a byte of the plane stands for. */
	const comparePlane = (offset: number, planeWidth: number, planeHeight: number, scale: number) => {
		for (let row = 0; row < planeHeight; row += 1) {
			const from = offset + row * planeWidth;
			const [one, other] = [0, bytes].map((frame) => stdout.subarray(frame + from, frame + from + planeWidth));
			if (one === undefined || other === undefined || one.equals(other)) continue;
			const first = one.findIndex((byte, at) => byte !== other[at]);
			const last = one.findLastIndex((byte, at) => byte !== other[at]);
			found.left = Math.min(found.left, first * scale);
			found.right = Math.max(found.right, (last + 1) * scale);
			found.top = Math.min(found.top, row * scale);
			found.bottom = Math.max(found.bottom, (row + 1) * scale);
		}
	};
	comparePlane(0, width, height, 1);
	comparePlane(width * height, halfWidth, halfHeight, 2);
	comparePlane(width * height + halfWidth * halfHeight, halfWidth, halfHeight, 2);
	if (found.right === 0) return "same";
	const [x, y] = [Math.floor(found.left / BLOCK) * BLOCK, Math.floor(found.top / BLOCK) * BLOCK];
	const right = Math.min(width, Math.ceil(found.right / BLOCK) * BLOCK);
	const bottom = Math.min(height, Math.ceil(found.bottom / BLOCK) * BLOCK);
	return { x, y, width: right - x, height: bottom - y };
}

async function cutOut(jpeg: Buffer, { x, y, width, height }: Rectangle, signal: AbortSignal): Promise<Buffer | null> {
	const output = ["-vf", `crop=${width}:${height}:${x}:${y}`, "-frames:v", "1", "-c:v", "mjpeg", "-q:v", QUALITY];
	const args = [...INPUT, ...output, "-f", "image2pipe", "pipe:1"];
	const { stdout, reason } = await runFfmpeg("ffmpeg", args, { ...LIMITS, input: jpeg, signal });
	return reason === null && stdout.length > 0 ? stdout : null;
}

/** The size that a JPEG says it has; null if it says none. */
function sizeOf(jpeg: Buffer): { width: number; height: number } | null {
	// Segments of a marker and a length. Frame headers are C0 to CF, but for three that are tables.
	for (let at = 2; at + 9 <= jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
		const marker = jpeg[at + 1] ?? 0;
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
	}
	return null;
}
