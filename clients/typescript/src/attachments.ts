/** Attachments: files of a test result or a test run. */
import type { CallOptions, Http } from "./http.ts";
import type { Attachment } from "./openapi.ts";
import { isLarge, sendByTus, sizeOf } from "./tus.ts";

/** A file may take long to send. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export interface NewAttachment {
	/** The name that is shown and downloaded, such as `trace.zip`. */
	name: string;
	/** For example `image/png`; by default that of a Blob, else `application/octet-stream`. */
	contentType?: string;
	/** The bytes, or a Blob: in Node, `openAsBlob(path)` of `node:fs` reads a file while it is sent. Text is sent as UTF-8. */
	content: Uint8Array | Blob | string;
}

/** @param owner the result or the test run. */
export async function addAttachment(
	http: Http,
	owner: { testResultId: number } | { testRunId: number },
	{ name, contentType, content }: NewAttachment,
	options: CallOptions,
): Promise<Attachment> {
	const isText = typeof content === "string";
	const own = isText ? "text/plain" : content instanceof Blob ? content.type : "";
	const type = contentType ?? (own === "" ? "application/octet-stream" : own);
	const bytes = isText ? new TextEncoder().encode(content) : content;
	if (isLarge(bytes)) {
		const metadata = { ...owner, name, filetype: type, as: "attachment" };
		const id = await sendByTus(http, bytes, metadata, "tapedeck-attachment", options);
		// Nothing tells the size of an image that was sent by tus.
		const size = { width: null, height: null };
		const stored = { name: name.split(/[/\\]/).at(-1) ?? name, contentType: type, bytes: sizeOf(bytes) };
		if (id !== null) return { id, ...stored, ...size, url: `${http.url}/v1/attachments/${id}` };
	}
	const path = "testRunId" in owner ? `/v1/test-runs/${owner.testRunId}` : `/v1/tests/${owner.testResultId}`;
	return http.call("POST", `${path}/attachments`, {
		...options,
		query: { name },
		headers: { "content-type": type },
		bytes,
		timeoutMs: UPLOAD_TIMEOUT_MS,
		// The same file under the same name is stored once.
		repeatable: true,
	});
}
