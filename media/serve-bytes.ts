/** Responds to requests for media: ranges, conditions, HEAD. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ByteSource, sourceLength, writeBytes } from "./byte-source.ts";
import { attachmentHeader } from "./content-disposition.ts";
import { matchesEtag, type RangeAnswer, rangeAnswer, rangeStillFits } from "./http-range.ts";

export interface ServeOptions {
	/** Strong entity tag, including quotes. */
	etag: string;
	contentType: string;
	/** `Cache-Control`; by default browsers cache and revalidate. */
	cacheControl?: string;
	/** File name for downloads. */
	fileName?: string;
	/** Makes browsers save the file instead of playing it. */
	download?: boolean;
	/** Thrown, before any response, for a range outside of `length` bytes; by default a bare 416. */
	rangeError?: (length: number) => Error;
	/** Additional headers. */
	headers?: Record<string, string>;
}

/**
 * Responds with a source or the requested part of it: 200, 206, 304 or 416. Always closes the source's file, and never
 * throws once the response has begun; a disconnected client ends it.
 */
export async function serveBytes(
	req: IncomingMessage,
	res: ServerResponse,
	source: ByteSource,
	options: ServeOptions,
): Promise<void> {
	try {
		await answer(req, res, source, options);
	} catch (error) {
		if (!res.headersSent) throw error;
		res.destroy();
	} finally {
		await source.handle.close();
	}
}

async function answer(req: IncomingMessage, res: ServerResponse, source: ByteSource, options: ServeOptions) {
	const length = sourceLength(source);
	res.setHeader("ETag", options.etag);
	res.setHeader("Cache-Control", options.cacheControl ?? "private, no-cache");
	res.setHeader("Accept-Ranges", "bytes");
	res.setHeader("X-Content-Type-Options", "nosniff");
	for (const [name, value] of Object.entries(options.headers ?? {})) res.setHeader(name, value);
	if (matchesEtag(req.headers["if-none-match"], options.etag)) {
		res.writeHead(304).end();
		return;
	}
	const range = askedRange(req, length, options.etag);
	if (range.kind === "unsatisfiable") {
		if (options.rangeError !== undefined) throw options.rangeError(length);
		res.writeHead(416, { "Content-Range": `bytes */${length}`, "Content-Length": 0 }).end();
		return;
	}
	const start = range.kind === "part" ? range.start : 0;
	const end = range.kind === "part" ? range.end : length;
	if (req.method !== "HEAD") await source.handle.prepare?.(Math.max(0, start - source.head.length));
	res.setHeader("Content-Type", options.contentType);
	res.setHeader("Content-Length", end - start);
	if (options.fileName !== undefined) {
		res.setHeader("Content-Disposition", attachmentHeader(options.fileName, options.download === true));
	}
	if (range.kind === "part") res.setHeader("Content-Range", `bytes ${start}-${end - 1}/${length}`);
	res.writeHead(range.kind === "part" ? 206 : 200);
	if (req.method === "HEAD") {
		res.end();
		return;
	}
	// A file that turned out shorter than announced must not look complete.
	if (await writeBytes(source, start, end, res)) res.end();
	else res.destroy();
}

function askedRange(req: IncomingMessage, length: number, etag: string): RangeAnswer {
	// A Range is defined for GET only.
	if (req.method !== "GET") return { kind: "whole" };
	if (!rangeStillFits(req.headers["if-range"] as string | undefined, etag)) return { kind: "whole" };
	return rangeAnswer(req.headers.range, length);
}
