/** A stored video as ffmpeg can read it: a file, or for as long as it is needed a URL of this machine. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { isInBucket, objectBytes, openObject, type StoredRow } from "../playback/open-object.ts";
import type { RecordingContext } from "../recording-context.ts";

/** @param work gets the path or the URL, which nobody else knows. */
export async function withVideoInput<T>(
	ctx: RecordingContext,
	row: RecordingRow,
	work: (input: string) => Promise<T>,
): Promise<T> {
	return isInBucket(row) ? withUrl(ctx, row, work) : work(ctx.videoFiles.pathOf(row.uploadId));
}

async function withUrl<T>(ctx: RecordingContext, row: StoredRow, work: (input: string) => Promise<T>): Promise<T> {
	const path = `/${randomBytes(16).toString("hex")}`;
	const handle = openObject(ctx, row);
	const server = createServer((req, res) => {
		if (req.url !== path) return void res.writeHead(404).end();
		const source = { head: Buffer.alloc(0), fileBytes: objectBytes(row), handle };
		const options = { etag: `"${row.id}"`, contentType: row.contentType };
		serveBytes(req, res, source, options).catch(() => res.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(0, "127.0.0.1", resolve);
	});
	try {
		return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
	} finally {
		server.close();
		server.closeAllConnections();
	}
}
