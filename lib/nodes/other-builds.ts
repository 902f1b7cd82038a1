/**
 * Scripts and styles of other builds. While dashboards are updated one after the other, a page of one build may ask a
 * dashboard of another build for its scripts: that one passes the call on to a dashboard that has them.
 */
import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative } from "node:path";
import { isForwarded } from "./files-at.ts";
import { forward, type Passing } from "./forward.ts";

const PATH = "/_next/static/";
/** The maximum number of parallel searches, because anybody can request scripts that no dashboard has. */
const SEARCHES_AT_ONCE = 50;

let searches = 0;

/** @param build the folder of a build. @returns the paths of its scripts, styles and fonts. */
export function assetsOf(build: string): Set<string> {
	const root = join(build, "static");
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return new Set(files.map(({ parentPath, name }) => PATH + relative(root, join(parentPath, name))));
}

/**
 * Answers a call for a script, a style or a font that this dashboard does not have and another one has.
 * @param assets the paths that this dashboard has; null if unknown.
 * @returns false if this dashboard should answer the call itself.
 */
export async function answerByOtherBuild(
	{ node, callSigner, stopping }: Passing,
	assets: ReadonlySet<string> | null,
	path: string,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<boolean> {
	if (node === null || node.alone || assets === null || assets.has(path) || !path.startsWith(PATH)) return false;
	if ((req.method !== "GET" && req.method !== "HEAD") || isForwarded(req)) return false;
	if (searches >= SEARCHES_AT_ONCE) return false;
	searches += 1;
	const options = { streams: false, signal: stopping, isGone: () => false, accepts: (status: number) => status < 400 };
	try {
		for (const url of node.urlsOfOthers) {
			if (await forward(url, callSigner, req, res, options).catch(() => false)) return true;
		}
		return false;
	} finally {
		searches -= 1;
	}
}
