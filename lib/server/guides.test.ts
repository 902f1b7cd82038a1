import { readdir, readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { GUIDE_FILES, GUIDES, guideAddress, guideHtml } from "./guides.ts";

const pages = new Map(
	await Promise.all(
		GUIDES.map(async (guide) => [guide.name, guideHtml(guide, await readFile(guide.file, "utf8"))] as const),
	),
);
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

test("every file of docs is a guide, and every guide is served as Markdown", async () => {
	const inFolder = async (folder: string): Promise<string[]> =>
		(await readdir(folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
	const files = [...(await inFolder("docs")), ...(await inFolder("docs/frameworks"))];
	expect(
		GUIDES.map(({ file }) => file)
			.filter((file) => file.startsWith("docs/"))
			.sort(),
	).toEqual(files.sort());
	for (const { name, file } of GUIDES) {
		expect(await readFile(`public/docs/guides/${name}.md`, "utf8")).toBe(await readFile(file, "utf8"));
	}
	for (const file of GUIDE_FILES) expect((await stat(`public/docs/files/${file}`)).isFile(), file).toBe(true);
});

test("every link of a guide leads to a page and a heading, or to a file, of the dashboard", async () => {
	const broken: string[] = [];
	for (const [name, html] of pages) {
		for (const [, address = ""] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
			const { pathname, hash, origin } = new URL(address, `http://dashboard/docs/guides/${name}`);
			if (origin !== "http://dashboard") continue;
			const page = pages.get(pathname.replace("/docs/guides/", ""));
			const found =
				page !== undefined
					? hash === "" || idsOf(page).has(decodeURIComponent(hash.slice(1)))
					: pathname.startsWith("/v1/") || pathname === "/docs" || (await stat(`public${pathname}`).catch(() => null));
			if (!found) broken.push(`${name}: ${address}`);
		}
	}
	expect(broken).toEqual([]);
});

test("a link to what only the repository has is plain text", () => {
	const [guide] = GUIDES;
	if (guide === undefined) throw new Error("There are no guides.");
	expect(guideAddress(guide, "../lib/db/schema.ts")).toBe(null);
	expect(guideHtml(guide, "See [the schema](../lib/db/schema.ts).")).toBe("<p>See the schema.</p>\n");
	expect(guideHtml(guide, "See [tokens](runner.md#tokens).")).toBe(
		'<p>See <a href="/docs/guides/runner#tokens">tokens</a>.</p>\n',
	);
});
