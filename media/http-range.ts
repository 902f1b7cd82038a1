/** Conditional and range requests (RFC 9110, sections 13 and 14), as pure functions. */

export type RangeAnswer = { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "unsatisfiable" };

/**
 * Parses a `Range` header for a body of `length` bytes. Multiple ranges, other units and malformed headers get the whole
 * body, which the RFC allows.
 * @returns for a part, `[start, end)`.
 */
export function rangeAnswer(header: string | undefined, length: number): RangeAnswer {
	// Each space has one place where it can match: otherwise a header of 16 KiB would take minutes.
	const match = /^bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i.exec((header ?? "").trim());
	if (match === null) return { kind: "whole" };
	const [, first = "", last = ""] = match;
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

/** Whether `If-None-Match` contains this entity tag (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
	if (header === undefined) return false;
	if (header.trim() === "*") return true;
	const wanted = etag.replace(/^W\//, "");
	return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => each.replace(/^W\//, "") === wanted);
}

/** Whether `If-Range` permits a partial response: absent, or exactly this strong entity tag. Dates never match. */
export function rangeStillFits(header: string | undefined, etag: string): boolean {
	return header === undefined || (header.trim() === etag && !etag.startsWith("W/"));
}
