/** Writes the body of a request to a file, within the organization's quota and the free space of the disk. */
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { writeAt } from "@tapedeck/media/file-io.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import type { RecordingContext } from "../recording-context.ts";
import { diskFull, isDiskFull } from "../space/disk-space.ts";
import { quotaCounter, reserveQuota } from "../space/storage-quota.ts";

interface Target {
	/** The file, which must not exist. The caller deletes it if this throws. */
	path: string;
	/** The caller releases the quota of this upload. */
	uploadId: string;
	/** Throws payload_too_large for a body of so many bytes. */
	assertSize(bytes: number): void;
	/** Called with each piece in order. */
	onPiece?(piece: Buffer): void;
}

/** @throws bad_request if the body broke off; payload_too_large; insufficient_storage; quota_exceeded. */
export async function receiveBody(
	ctx: RecordingContext,
	req: IncomingMessage,
	{ path, uploadId, assertSize, onPiece }: Target,
): Promise<void> {
	const disk = ctx.diskSpace;
	const announced = Number(req.headers["content-length"] ?? 0);
	assertSize(announced);
	await disk.assertFits(announced);
	if (announced > 0) await reserveQuota(ctx, uploadId, announced);
	const countBytes = await quotaCounter(ctx, uploadId);
	const handle = await open(path, "wx", 0o600);
	try {
		let at = 0;
		// Keep the request alive when this loop ends early: it still has to be answered.
		for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			assertSize(at + chunk.length);
			await disk.claim(chunk.length);
			await countBytes({ end: at + chunk.length, bytes: chunk.length });
			onPiece?.(chunk);
			at += await writeAt(handle, at, chunk);
		}
	} catch (cause) {
		if (isDiskFull(cause)) throw diskFull(cause);
		if (isTapedeckError(cause)) throw cause;
		if (req.errored !== null || !req.complete) {
			throw new TapedeckError("bad_request", "The body ended early. Send the file again.", { cause });
		}
		throw cause;
	} finally {
		await handle.close();
	}
}
