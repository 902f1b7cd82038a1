/** Groups the attachments of a result for display, by their kinds. */
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { isTrace, type ShownAs, shownAs } from "@tapedeck/contract/attachment-kinds.ts";

/** The pictures of a visual comparison, such as Playwright's `toHaveScreenshot` attaches. */
export interface Comparison {
	name: string;
	expected: Attachment;
	actual: Attachment;
	diff: Attachment | null;
}

interface AttachmentGroups {
	comparisons: Comparison[];
	/** The images that are no part of a comparison. */
	images: Attachment[];
	videos: Attachment[];
	texts: Attachment[];
	/** Playwright's traces. */
	traces: Attachment[];
	/** Everything else. */
	files: Attachment[];
}

const PICTURE = /^(.+)-(expected|actual|diff)(\.[a-z0-9]+)?$/i;

/** In the order in which they were attached. */
export function groupsOf(attachments: readonly Attachment[]): AttachmentGroups {
	const comparisons = comparisonsOf(attachments);
	const compared = new Set(comparisons.flatMap(({ expected, actual, diff }) => [expected, actual, diff]));
	const of = (kind: ShownAs) =>
		attachments.filter((one) => shownAs(one.contentType) === kind && !compared.has(one) && !isTrace(one.name));
	return {
		comparisons,
		images: of("image"),
		videos: of("video"),
		texts: of("text"),
		files: of("file"),
		traces: attachments.filter(({ name }) => isTrace(name)),
	};
}

function comparisonsOf(attachments: readonly Attachment[]): Comparison[] {
	const found = new Map<string, Partial<Record<string, Attachment>>>();
	for (const one of attachments) {
		const [, name, part = "", extension = ""] = PICTURE.exec(one.name) ?? [];
		if (name === undefined || shownAs(one.contentType) !== "image") continue;
		const key = `${name}${extension}`;
		found.set(key, { ...found.get(key), [part.toLowerCase()]: one });
	}
	return [...found].flatMap(([name, { expected, actual, diff }]) =>
		expected === undefined || actual === undefined ? [] : [{ name, expected, actual, diff: diff ?? null }],
	);
}
