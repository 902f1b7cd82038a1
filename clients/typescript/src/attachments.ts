/** Attachments: files of a test result or a test run. */
import type { CallOptions, Http } from "./http.ts";
import type { Attachment } from "./openapi.ts";

/** A file may take long to send. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export interface NewAttachment {
	/** As it is shown and downloaded, such as `trace.zip`. */
	name: string;
	/** For example `image/png`; by default that of a Blob, else `application/octet-stream`. */
	contentType?: string;
	/** The bytes, or a Blob: in Node, `openAsBlob(path)` of `node:fs` reads a file while it is sent. Text is sent as UTF-8. */
	content: Uint8Array | Blob | string;
}

/** @param path of the result or the test run. */
export function addAttachment(
	http: Http,
	path: string,
	{ name, contentType, content }: NewAttachment,
	options: CallOptions,
): Promise<Attachment> {
	const isText = typeof content === "string";
	const own = isText ? "text/plain" : content instanceof Blob ? content.type : "";
	return http.call("POST", `${path}/attachments`, {
		...options,
		query: { name },
		headers: { "content-type": contentType ?? (own === "" ? "application/octet-stream" : own) },
		bytes: isText ? new TextEncoder().encode(content) : content,
		timeoutMs: UPLOAD_TIMEOUT_MS,
		// The same file under the same name is stored once.
		repeatable: true,
	});
}
