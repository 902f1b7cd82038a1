/** A short recording of many megabytes, for stores that work in stretches of a fixed size. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { makeVideo } from "./make-video.ts";

/** @returns a recorder's video with a box that players skip behind each fragment. */
export async function makeLargeVideo(name: Parameters<typeof makeVideo>[0]): Promise<Buffer> {
	const video = await readFile(await makeVideo(name));
	const boxes: Buffer[] = [];
	for (let at = 0; at < video.length; ) {
		const end = at + video.readUInt32BE(at);
		boxes.push(video.subarray(at, end));
		if (video.toString("latin1", at + 4, at + 8) === "mdat") boxes.push(padding());
		at = end;
	}
	return Buffer.concat(boxes);
}

function padding(): Buffer {
	const box = randomBytes(5 * 2 ** 20);
	box.writeUInt32BE(box.length);
	box.write("free", 4, "latin1");
	return box;
}
