/** File names for downloads (RFC 6266, RFC 8187), safe on every operating system. */

const MAX_NAME_CHARACTERS = 150;
/** File systems allow 255 for a whole name; the rest is for its end and for what a browser adds. */
const MAX_NAME_BYTES = 200;
// Reserved for devices on Windows, whatever the extension.
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name derived from a user's text: no path separators, no control or direction characters, no trailing dots,
 * never empty. It does not begin with a dash either: programs such as `unzip` and `rm` would read it as an option.
 * @param end of the name, before the extension. Never shortened.
 */
export function safeFileName(name: string, extension: string, end = ""): string {
	const kept = name
		.normalize("NFC")
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, " ")
		.replace(/[<>:"/\\|?*]/g, "_")
		.replace(/\s+/g, " ")
		.trim();
	const short = shortened(kept).replace(/^[-. ]+|[. ]+$/g, "");
	return `${short === "" || RESERVED.test(short) ? `recording ${short}`.trim() : short}${end}.${extension}`;
}

function shortened(text: string): string {
	const characters = [...text].slice(0, MAX_NAME_CHARACTERS);
	let bytes = Buffer.byteLength(characters.join(""));
	while (bytes > MAX_NAME_BYTES) bytes -= Buffer.byteLength(characters.pop() ?? "");
	return characters.join("");
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
