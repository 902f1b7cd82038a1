/** SHA-256 of videos, as they are downloaded. */
import { createHash } from "node:crypto";
import type { ByteSource } from "@tapedeck/media/byte-source.ts";
import { readAt } from "@tapedeck/media/file-io.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { withPlayableSource } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";

/** Small enough that hashing one does not hold up other requests. */
const PART_BYTES = 2 ** 20;

/** @returns hexadecimal. @throws the signal's reason. */
export async function hashOf({ head, fileBytes, handle }: ByteSource, signal: AbortSignal): Promise<string> {
	const hash = createHash("sha256").update(head);
	for (let at = 0; at < fileBytes; at += PART_BYTES) {
		signal.throwIfAborted();
		hash.update(await readAt(handle, at, Math.min(PART_BYTES, fileBytes - at)));
	}
	return hash.digest("hex");
}

/** The hash of the file that `GET /v1/recordings/{id}/video` returns. @throws not_found; the errors of Excerpts. */
export function hashOfRecording(
	ctx: RecordingContext,
	{ id, createdAt, bytes }: RecordingRow,
	signal: AbortSignal,
): Promise<string> {
	return ctx.excerpts.use(
		ctx,
		{ kind: "long", key: `sha256 ${id} ${createdAt} ${bytes}`, maxBytes: 0, signal },
		async (signal) => ({
			value: await withPlayableSource(ctx, id, (source) => hashOf(source, signal)),
			bytes: 0,
		}),
		async (hash) => hash,
	);
}
