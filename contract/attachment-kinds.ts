/** Limits of attachments, and how each type of file is shown. Without zod, because pages need it. */

/** The number that one result or one test run can have. */
export const MAX_ATTACHMENTS = 20;
export const MAX_ATTACHMENT_BYTES = 256 * 2 ** 20;
export const ATTACHMENT_TOO_LARGE = `An attachment can have at most ${MAX_ATTACHMENT_BYTES / 2 ** 20} MiB. Send a smaller or compressed file.`;

/** Sent when a tus upload that is an attachment is complete: its id. */
export const ATTACHMENT_HEADER = "Tapedeck-Attachment";

/** Display of a file on pages. A `file` is only downloaded. */
export type ShownAs = "image" | "video" | "text" | "file";

/** Browsers show it in a viewer of their own, which its scripts cannot leave. */
export const PDF = "application/pdf";

/** Types that browsers show and that contain no scripts: no SVG, no HTML, no PDF. */
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
const VIDEOS = ["video/mp4", "video/webm"];
const TEXTS = ["text/plain", "text/csv", "text/markdown", "application/json", "application/x-ndjson"];

/** Types of answers with an attachment's bytes. Everything else is sent as a download of type `application/octet-stream`. */
export const SERVED_TYPES = [...IMAGES, ...VIDEOS, "text/plain", "application/octet-stream"];
/** The same for files that are recordings. */
export const FILE_TYPES = [...SERVED_TYPES, PDF];

export function shownAs(contentType: string): ShownAs {
	if (IMAGES.includes(contentType)) return "image";
	if (VIDEOS.includes(contentType)) return "video";
	return TEXTS.includes(contentType) ? "text" : "file";
}

const TRACE = /(^|[-_.])trace([-_.].*)?\.zip$/i;

/** Whether a file is named as Playwright names its traces. */
export const isTrace = (name: string): boolean => TRACE.test(name);

/** The type that an attachment is sent as: no text is ever read as a page or as a script. */
export function servedAs(contentType: string): string {
	const shown = shownAs(contentType);
	if (shown === "text") return "text/plain; charset=utf-8";
	return shown === "file" ? "application/octet-stream" : contentType;
}
