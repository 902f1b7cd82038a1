/** A rule for the source of the pages: styles use logical sides (start, end), never left and right. */
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

/** Exceptions, each with its reason. */
const ALLOWED_SIDES: Record<string, readonly string[]> = {
	// Half of a width is the same from either side, and the translation that goes with it knows no start.
	"components/ui/dialog.tsx": ["left-1/2"],
};

test("styles use logical sides only, so the pages work right to left as well", () => {
	const sided = files.flatMap(({ path, source }) =>
		[...source.matchAll(/(["'`])(?:(?!\1)[^\\\n]|\\.)*\1/g)]
			.filter(([text]) => /[a-z]-/.test(text))
			.flatMap(([text]) => text.match(SIDED) ?? [])
			.filter((found) => !ALLOWED_SIDES[path]?.includes(found))
			.map((found) => `${path}: ${found}`),
	);
	expect(sided).toEqual([]);
});
