/** A fragmented MP4 as a progressive one, as which it plays everywhere. */
import type { ReadableAt } from "./file-io.ts";
import { type Chapter, chapterBox } from "./mp4-chapters.ts";
import { Mp4Index } from "./mp4-index.ts";

/**
 * @param bytes the file's length.
 * @returns what comes instead of the file's own beginning, and how many bytes of the file follow.
 * @throws Mp4Error if it has no complete fragment.
 */
export async function progressiveMp4(
	file: ReadableAt,
	bytes: number,
	chapters: readonly Chapter[] = [],
): Promise<{ head: Buffer; fileBytes: number }> {
	const index = new Mp4Index();
	await index.update(file, bytes);
	return { head: index.header(chapterBox(chapters)), fileBytes: index.completeBytes };
}
