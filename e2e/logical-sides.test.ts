/** Rules for the source of the pages: words stand in lib/texts, and styles know start and end, not left and right. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync(["components/**/*.tsx", "app/**/*.tsx"], { cwd: root }).map((path) => ({
	path,
	source: readFileSync(`${root}${path}`, "utf8"),
}));

/** A physical side in a class: `pl-2`, `sm:-left-1`, `text-right`, `rounded-tl`. */
const SIDED =
	/(?<=["'`\s:])-?(?:[pm][lr]|scroll-[pm][lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr])|(?:text|float|clear)-(?:left|right))(?:-[\w./[\]()%-]+)?(?=["'`\s])/g;

/** What may name a side, and why. */
const MAY_NAME_A_SIDE: Record<string, readonly string[]> = {
	// Half of a width is the same from either side, and the translation that goes with it knows no start.
	"components/ui/dialog.tsx": ["left-1/2"],
};

test("no style of the pages names left or right, so that every one is mirrored for those who read from right to left", () => {
	const sided = files.flatMap(({ path, source }) =>
		[...source.matchAll(/(["'`])(?:(?!\1)[^\\\n]|\\.)*\1/g)]
			.filter(([text]) => /[a-z]-/.test(text))
			.flatMap(([text]) => text.match(SIDED) ?? [])
			.filter((found) => !MAY_NAME_A_SIDE[path]?.includes(found))
			.map((found) => `${path}: ${found}`),
	);
	expect(sided).toEqual([]);
});

/** Attributes that people read or hear. */
const SPOKEN = /\b(aria-label|aria-description|title|placeholder|label|alt|intro|description|hint)="[^"]*\p{L}[^"]*"/gu;

test("no label, title, hint or placeholder of the pages stands among the code", () => {
	const found = files.flatMap(({ path, source }) => [...source.matchAll(SPOKEN)].map(([text]) => `${path}: ${text}`));
	expect(found).toEqual([]);
});
