/** The media type in a Content-Type header: without parameters, in lower case. Empty if none is stated. */
export const plainType = (stated: string | null | undefined): string =>
	(stated ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
