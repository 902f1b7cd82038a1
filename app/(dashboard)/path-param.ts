/** A parameter of a page's path as it was before it was percent-encoded; null if it is malformed. */
export function decodedParam(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
