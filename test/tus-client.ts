/** A small tus client that can break every rule. */
import { type Answer, SESSION, type TestRecordings } from "./recordings.ts";

/** `Upload-Metadata`. */
export const metadata = (fields: Record<string, string | number>): string =>
	Object.entries(fields)
		.map(([key, value]) => `${key} ${Buffer.from(String(value)).toString("base64")}`)
		.join(",");

export const TUS = { "tus-resumable": "1.0.0", "tapedeck-session": SESSION };
const BYTES = { "content-type": "application/offset+octet-stream" };

/** Starts an upload of unknown length and returns its path. */
export async function beginUpload(
	{ call }: Pick<TestRecordings, "call">,
	fields: Record<string, string | number>,
	as?: string,
): Promise<string> {
	const headers = { ...TUS, "upload-defer-length": "1", "upload-metadata": metadata(fields) };
	const answer = await call("/v1/uploads", { method: "POST", headers, as });
	if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
	return answer.headers.location as string;
}

/** Sends bytes at an offset; `length` declares the length of the whole upload. */
export const patch = (
	{ call }: Pick<TestRecordings, "call">,
	path: string,
	offset: number,
	body: Buffer,
	options: { length?: number; as?: string; session?: string } = {},
): Promise<Answer> =>
	call(path, {
		method: "PATCH",
		as: options.as,
		headers: {
			...TUS,
			...BYTES,
			"upload-offset": offset,
			...(options.length === undefined ? {} : { "upload-length": options.length }),
			...(options.session === undefined ? {} : { "tapedeck-session": options.session }),
		},
		body,
	});
