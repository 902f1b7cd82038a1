/** The demo as static files. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Answers } from "./record-site.ts";

const HERE = import.meta.dirname;
export const PAGE_SCRIPT = join(HERE, "page.js");

/**
 * Writes the demo's files: what starts the worker in the place of each page, and the answers.
 * @returns the size of all files.
 */
export async function writeSite(folder: string, pages: readonly string[], answers: Answers): Promise<number> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(join(folder, "demo"), { recursive: true });
	const index: Record<string, object> = {};
	const files = new Map<string, Buffer>();
	for (const [path, { status, headers, body }] of answers) {
		const type = headers["content-type"] ?? "";
		const bytes = type.startsWith("text/html") ? withScript(body) : body;
		// Hosts count the bytes that they store. Names without an ending: by that, some would unpack a file on its way.
		const isPacked = /^text\/|json|javascript/.test(type);
		const file = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
		files.set(file, isPacked ? gzipSync(bytes) : bytes);
		index[timeless(path)] = { file, isPacked, status, headers };
	}
	for (const [file, bytes] of files) await writeFile(join(folder, "demo", file), bytes);
	const text = JSON.stringify({ takenAt: Date.now(), answers: index });
	await writeFile(join(folder, "demo", "answers.json"), text);
	await copyFile(join(HERE, "worker.js"), join(folder, "worker.js"));
	await copyFile(PAGE_SCRIPT, join(folder, "demo", "page.js"));
	const start = await readFile(join(HERE, "start.html"));
	const places = [...new Set(pages.map((page) => pathOf(page)))];
	for (const place of places) {
		await mkdir(join(folder, decodeURIComponent(place)), { recursive: true });
		await writeFile(join(folder, decodeURIComponent(place), "index.html"), start);
	}
	await writeFile(join(folder, "404.html"), start);
	const sizes = [...files.values()].map(({ length }) => length);
	return sizes.reduce((sum, size) => sum + size, text.length + start.length * places.length);
}

const withScript = (html: Buffer): Buffer =>
	Buffer.from(html.toString().replace("<head>", '<head><script src="/demo/page.js"></script>'));

const pathOf = (page: string): string => page.split("?")[0] ?? page;

/** Queries of lists and tracks name times and positions that depend on the moment. worker.js does the same. */
const timeless = (path: string): string =>
	path.replace(/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{3}Z|(?<=\bfrom=)[\d.]+/g, "*");
