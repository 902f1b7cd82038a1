/** File names of downloads (RFC 6266, RFC 8187), safe on every system. */

const MAX_NAME_CHARACTERS = 150;
// Names that Windows keeps for devices, whatever follows the dot.
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name made of what a person called something: no path, no control or direction characters, no trailing
 * dots, never empty.
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

/** `Content-Disposition` for a file name: an ASCII form for old readers and the true one for the others. */
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
