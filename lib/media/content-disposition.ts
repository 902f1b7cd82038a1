/** File names for downloads (RFC 6266, RFC 8187), safe on every operating system. */

const MAX_NAME_CHARACTERS = 150;
// Reserved for devices on Windows, whatever the extension.
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name derived from a user's text: no path separators, no control or direction characters, no trailing dots,
 * never empty.
 */
export function safeFileName(name: string, extension: string): string {
	const kept = name
		.normalize("NFC")
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, " ")
		.replace(/[<>:"/\\|?*]/g, "_")
		.replace(/\s+/g, " ")
		.trim();
	const short = [...kept]
		.slice(0, MAX_NAME_CHARACTERS)
		.join("")
		.replace(/^[. ]+|[. ]+$/g, "");
	return `${short === "" || RESERVED.test(short) ? `recording ${short}`.trim() : short}.${extension}`;
}

/** `Content-Disposition` for a file name: an ASCII fallback for old clients, and the exact name. */
export function attachmentHeader(fileName: string, download: boolean): string {
	const ascii = fileName
		.normalize("NFKD")
		.replace(/[^\x20-\x7e]/g, "")
		.replace(/["\\%]/g, "_")
		.trim();
	const exact = encodeURIComponent(fileName).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	const fallback = ascii.replace(/\.[^.]*$/, "") === "" ? `recording${/\.[^.]*$/.exec(ascii)?.[0] ?? ""}` : ascii;
	return `${download ? "attachment" : "inline"}; filename="${fallback}"; filename*=UTF-8''${exact}`;
}
