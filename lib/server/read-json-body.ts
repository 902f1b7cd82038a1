/** JSON bodies: typed and parsed, with the fault that fits. Size and time are limited where they arrive (limit-body.ts). */
import { TapedeckError } from "../core/errors.ts";
import { bodyTooLarge } from "./limit-body.ts";

/**
 * @param maxBytes a length announced beyond this is refused unread.
 * @throws payload_too_large, unsupported_media_type, invalid_json; in this order of judgement.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
	if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
	const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
	if (type !== "application/json") {
		throw new TapedeckError("unsupported_media_type", "Send JSON, with the header Content-Type: application/json.");
	}
	const bytes = await request.arrayBuffer();
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch (cause) {
		const why = bytes.byteLength === 0 ? "it is empty" : cause instanceof Error ? cause.message : "it cannot be parsed";
		throw new TapedeckError("invalid_json", `The body is not JSON: ${why}. Send a JSON object in UTF-8.`, { cause });
	}
}
