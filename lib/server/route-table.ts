/** Every route of /v1: the modules of app/v1, and the streams; and which of them a request is for. */
import { glob } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteHandler } from "./route.ts";
import type { DeclaredRoute } from "./route-definition.ts";
import type { StreamRoute } from "./stream-route.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;

export type RouteEntry = DeclaredRoute & { segments: readonly string[] } & (
		| { web: RouteHandler; stream?: undefined }
		| { web?: undefined; stream: StreamRoute }
	);

export type RouteMatch =
	| { kind: "found"; entry: RouteEntry; params: Record<string, string> }
	| { kind: "wrong_method"; allow: string[] }
	| { kind: "none" };

/** `app/v1/jobs/[jobId]/route.ts` is `/v1/jobs/:jobId`. */
export function routePathOf(file: string): string {
	const segments = file.split(sep).slice(0, -1);
	return `/${segments.map((segment) => segment.replace(/^\[(.+)\]$/, ":$1")).join("/")}`;
}

/** Imports the route modules below `appDir`/v1, and /metrics, and adds the streams. */
export async function loadRoutes(appDir: string, streams: readonly StreamRoute[]): Promise<RouteEntry[]> {
	const entries: RouteEntry[] = [];
	for await (const file of glob([join("v1", "**", "route.ts"), join("metrics", "route.ts")], { cwd: appDir })) {
		const module = (await import(pathToFileURL(join(appDir, file)).href)) as Record<string, RouteHandler | undefined>;
		const path = routePathOf(file);
		for (const method of METHODS) {
			const web = module[method];
			if (web !== undefined)
				entries.push({ method, path, definition: web.definition, segments: path.split("/").slice(1), web });
		}
	}
	for (const stream of streams) {
		const { method, path, definition } = stream;
		entries.push({ method, path, definition, segments: path.split("/").slice(1), stream });
	}
	// Fixed segments win over parameters, whatever order the files were found in.
	return entries.sort((a, b) => (a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1));
}

/** Finds the entry for a path and method. A HEAD without a route of its own goes to GET. */
export function matchRoute(routes: readonly RouteEntry[], method: string, pathname: string): RouteMatch {
	const segments = pathname.split("/").slice(1);
	const allow = new Set<string>();
	let head: RouteMatch | null = null;
	let path: string | null = null;
	for (const entry of routes) {
		// The first path that fits is the one that is meant: `/v1/jobs/open` is no job, whatever the method.
		if (path !== null && entry.path !== path) continue;
		const params = matchSegments(entry.segments, segments);
		if (params === null) continue;
		path = entry.path;
		if (entry.method === method) return { kind: "found", entry, params };
		if (method === "HEAD" && entry.method === "GET") head = { kind: "found", entry, params };
		allow.add(entry.method);
		if (entry.method === "GET") allow.add("HEAD");
	}
	if (head !== null) return head;
	return allow.size === 0 ? { kind: "none" } : { kind: "wrong_method", allow: [...allow].sort() };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
	if (pattern.length !== segments.length) return null;
	const params: Record<string, string> = {};
	for (const [index, part] of pattern.entries()) {
		const segment = segments[index] ?? "";
		if (!part.startsWith(":")) {
			if (part !== segment) return null;
			continue;
		}
		if (segment === "") return null;
		try {
			params[part.slice(1)] = decodeURIComponent(segment);
		} catch {
			return null;
		}
	}
	return params;
}
