/** JSON bodies: bounded, typed and parsed, with the fault that fits. */
import { TapedeckError } from "../core/errors.ts";

export const MAX_JSON_BYTES = 1024 * 1024;

const tooLarge = () =>
	new TapedeckError(
		"payload_too_large",
		`The body is larger than ${MAX_JSON_BYTES} bytes (1 MiB). Send a smaller one.`,
	);

/** A body that drips in must not hold a connection for ever. */
const BODY_MS = 30_000;

/**
 * @param timeoutMs how long the body may take to arrive.
 * @throws payload_too_large, unsupported_media_type, request_timeout, invalid_json; in this order of judgement.
 */
export async function readJsonBody(request: Request, timeoutMs: number = BODY_MS): Promise<unknown> {
	if (Number(request.headers.get("content-length") ?? 0) > MAX_JSON_BYTES) throw tooLarge();
	const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
	if (type !== "application/json") {
		throw new TapedeckError("unsupported_media_type", "Send JSON, with the header Content-Type: application/json.");
	}
	// With a length that was told, the HTTP parser ends the body there; without one it is counted.
	const told = request.headers.has("content-length");
	const body = told ? request.arrayBuffer().then((buffer) => new Uint8Array(buffer)) : readBounded(request.body);
	const bytes = await inTime(body, timeoutMs);
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch (cause) {
		const why = bytes.length === 0 ? "it is empty" : cause instanceof Error ? cause.message : "it cannot be parsed";
		throw new TapedeckError("invalid_json", `The body is not JSON: ${why}. Send a JSON object in UTF-8.`, { cause });
	}
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		const detail = `The body did not arrive within ${timeoutMs / 1000} s. Send it again, all at once.`;
		late.reject(new TapedeckError("request_timeout", detail, { headers: { connection: "close" } }));
	}, timeoutMs);
	try {
		return await Promise.race([work, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
	if (body === null) return new Uint8Array();
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > MAX_JSON_BYTES) throw tooLarge();
		chunks.push(chunk);
	}
	return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
}
