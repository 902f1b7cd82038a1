/** Conditional and range requests (RFC 9110, sections 13 and 14): what to answer, as plain values. */

export type RangeAnswer = { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "unsatisfiable" };

/**
 * Reads a `Range` header against a body of `length` bytes. Several ranges, another unit and what is malformed
 * are answered with the whole body, which the RFC leaves to the server.
 * @returns for a part, `[start, end)`.
 */
export function rangeAnswer(header: string | undefined, length: number): RangeAnswer {
	const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "");
	if (match === null) return { kind: "whole" };
	const [, first, last] = match as unknown as [string, string, string];
	if (first === "") {
		if (last === "") return { kind: "whole" };
		const suffix = Number(last);
		if (suffix === 0 || length === 0) return { kind: "unsatisfiable" };
		return { kind: "part", start: Math.max(0, length - suffix), end: length };
	}
	const start = Number(first);
	const end = last === "" ? length : Math.min(length, Number(last) + 1);
	if (last !== "" && Number(last) < start) return { kind: "whole" };
	if (start >= length) return { kind: "unsatisfiable" };
	return { kind: "part", start, end };
}

/** Whether `If-None-Match` names this entity tag (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
	if (header === undefined) return false;
	if (header.trim() === "*") return true;
	const wanted = etag.replace(/^W\//, "");
	return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => each.replace(/^W\//, "") === wanted);
}

/** Whether `If-Range` lets the range count: absent, or this very strong entity tag. A date never matches. */
export function rangeStillFits(header: string | undefined, etag: string): boolean {
	return header === undefined || (header.trim() === etag && !etag.startsWith("W/"));
}
