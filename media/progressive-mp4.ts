/** A fragmented MP4 in memory as a progressive one, as which it plays everywhere. */
import { Mp4Index } from "./mp4-index.ts";

/** @throws Mp4Error if it has no complete fragment. */
export async function progressiveMp4(fragmented: Buffer): Promise<Buffer> {
	const index = new Mp4Index();
	const file = {
		read: async (buffer: Buffer, offset: number, length: number, position: number) => ({
			bytesRead: fragmented.copy(buffer, offset, position, position + length),
		}),
	};
	await index.update(file, fragmented.length);
	return Buffer.concat([index.header(), fragmented.subarray(0, index.completeBytes)]);
}
