/** Every route of /v1, loaded from the `route.ts` and `stream.ts` modules of app/v1, and the lookup for a request. */
import { glob } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteHandler } from "./route.ts";
import type { DeclaredRoute } from "./route-definition.ts";
import type { StreamHandler } from "./stream.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;

export type RouteEntry = DeclaredRoute & { segments: readonly string[] } & (
		| { web: RouteHandler; stream?: undefined }
		| { web?: undefined; stream: StreamHandler }
	);

export type RouteMatch =
	| { kind: "found"; entry: RouteEntry; params: Record<string, string> }
	| { kind: "wrong_method"; allow: string[] }
	| { kind: "none" };

/** `v1/jobs/[jobId]/route.ts` is `/v1/jobs/:jobId`. */
export function routePathOf(file: string): string {
	const segments = file.split(sep).slice(0, -1);
	return `/${segments.map((segment) => segment.replace(/^\[(.+)\]$/, ":$1")).join("/")}`;
}

/** Imports the route modules below `appDir`/v1 and those with an address of their own. */
export async function loadRoutes(appDir: string): Promise<RouteEntry[]> {
	const entries: RouteEntry[] = [];
	// A package has JavaScript.
	const extension = extname(import.meta.filename);
	const modules = [
		join("v1", "**", `{route,stream}${extension}`),
		join(
			"{metrics,install.sh,mcp,skill.md,.well-known/{agent-skills/index.json,tapedeck-keys.json}}",
			`route${extension}`,
		),
	];
	for await (const file of glob(modules, { cwd: appDir })) {
		const module: unknown = await import(pathToFileURL(join(appDir, file)).href);
		const path = routePathOf(file);
		const segments = path.split("/").slice(1);
		const isStream = file.endsWith(`${sep}stream${extension}`);
		for (const method of METHODS) {
			const handler = (module as Record<string, RouteHandler | StreamHandler | undefined>)[method];
			if (handler === undefined) continue;
			const { definition } = handler;
			const entry = { method, path, definition, segments };
			entries.push(
				isStream ? { ...entry, stream: handler as StreamHandler } : { ...entry, web: handler as RouteHandler },
			);
		}
	}
	// Fixed segments take precedence over parameters, whatever order the files were found in.
	return entries.sort((a, b) => (a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1));
}

/** A table's entries by the length and second segment of their paths: few are left to compare with a request. */
const groups = new WeakMap<readonly RouteEntry[], Map<string, RouteEntry[]>>();

const groupOf = (segments: readonly string[]): string => `${segments.length} ${segments[1] ?? ""}`;

function candidates(routes: readonly RouteEntry[], segments: readonly string[]): readonly RouteEntry[] {
	let byGroup = groups.get(routes);
	if (byGroup === undefined) {
		byGroup = Map.groupBy(routes, (entry) => groupOf(entry.segments));
		groups.set(routes, byGroup);
	}
	return byGroup.get(groupOf(segments)) ?? [];
}

/** Finds the entry for a path and method. HEAD falls back to GET. The second segment of a path is never a parameter. */
export function matchRoute(routes: readonly RouteEntry[], method: string, pathname: string): RouteMatch {
	const segments = pathname.split("/").slice(1);
	const allow = new Set<string>();
	let head: RouteMatch | null = null;
	let path: string | null = null;
	for (const entry of candidates(routes, segments)) {
		// The first matching path wins: `/v1/jobs/open` is not a job id, whatever the method.
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
