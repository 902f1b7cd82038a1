/** Decodes a still picture by ffmpeg. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { requireProgram } from "../processes/programs.ts";

export interface DecodedPicture {
	width: number;
	height: number;
	/** Mean of all pixels, 0 (black) to 255. */
	brightness: number;
}

/** @throws when it cannot be decoded. */
export async function decodePicture(jpeg: Buffer): Promise<DecodedPicture> {
	const output = ["-vf", "format=gray", "-f", "image2pipe", "-c:v", "pgm", "pipe:1"];
	const child = spawn(requireProgram("ffmpeg"), ["-v", "error", "-f", "mjpeg", "-i", "pipe:0", ...output], {
		stdio: ["pipe", "pipe", "ignore"],
	});
	const chunks: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
	child.stdin.end(jpeg);
	const [status] = await once(child, "close");
	const pgm = Buffer.concat(chunks);
	const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString("latin1", 0, 64));
	if (status !== 0 || head === null) throw new Error(`No picture: ffmpeg ended with ${status}.`);
	const pixels = pgm.subarray(head[0].length);
	const sum = pixels.reduce((total, pixel) => total + pixel, 0);
	return { width: Number(head[1]), height: Number(head[2]), brightness: sum / pixels.length };
}
