/** Serves the OpenAPI document, and parts of it. */
import { createHash } from "node:crypto";
import { matchesEtag } from "@tapedeck/media/http-range.ts";
import type { DeclaredRoute } from "../route-definition.ts";
import { openApiDocument } from "./document.ts";
import { openApiSlice, type WantedSlice } from "./slice.ts";

/** The document as it is served, with its entity tag. */
type ServedDocument = { text: string; etag: string };

const served = new WeakMap<readonly DeclaredRoute[], Map<string, ServedDocument>>();

/**
 * Made once per process, whose routes and address never change: the document is public, and making it takes a while. There are
 * as many parts as there are operations, about.
 * @throws the errors of openApiSlice.
 */
export function servedDocument(
	routes: readonly DeclaredRoute[],
	baseUrl: string,
	wanted: WantedSlice = {},
): ServedDocument {
	const all = served.get(routes) ?? new Map<string, ServedDocument>();
	served.set(routes, all);
	const key = `${wanted.tag ?? ""} ${wanted.operation ?? ""}`;
	const made = all.get(key);
	if (made !== undefined) return made;
	const isWhole = wanted.tag === undefined && wanted.operation === undefined;
	const text = JSON.stringify(isWhole ? openApiDocument(routes, baseUrl) : openApiSlice(routes, baseUrl, wanted));
	const document = { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
	all.set(key, document);
	return document;
}

/** @param known the call's If-None-Match header. */
export function documentResponse(
	routes: readonly DeclaredRoute[],
	baseUrl: string,
	wanted: WantedSlice,
	known: string | null,
): Response {
	const { text, etag } = servedDocument(routes, baseUrl, wanted);
	const headers = { etag, "cache-control": "no-cache" };
	if (matchesEtag(known ?? undefined, etag)) return new Response(null, { status: 304, headers });
	return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}
