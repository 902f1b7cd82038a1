/** The line that matched a search, for jobs and recordings whose row does not show the match otherwise. */
import { parseSearch } from "@tapedeck/contract/search.ts";
import type { Context } from "#lib/core/context.ts";

/** The maximum length of a returned line. */
const MAX_CHARACTERS = 200;

interface Found {
	name: string;
	/** JSON. */
	labels: string;
	searchText: string | null;
	/** Null for an uploaded video. */
	jobId: number | null;
}

/**
 * @returns the items of these rows with `matchedLine`: a line with the longest word of the search that is not in the
 *   name, the build or the branch. It is a label's value, a session's name, or an error line of a track in lower case.
 */
export async function withMatchedLines<Row extends Found, Item extends object>(
	ctx: Context,
	q: string | undefined,
	rows: readonly Row[],
	view: (row: Row) => Item,
): Promise<(Item & { matchedLine?: string })[]> {
	const words = parseSearch(q ?? "")
		.terms.flatMap((term) => (term.kind === "word" && !term.not ? [term.text.toLowerCase()] : []))
		.sort((one, other) => other.length - one.length);
	const missing = rows.map((row) => words.filter((word) => !shownText(row).includes(word)));
	const jobIds = rows.flatMap(({ jobId }, at) => (missing[at]?.length && jobId !== null ? [jobId] : []));
	const errorTexts = new Map<number, string>();
	if (jobIds.length > 0) {
		const found = await ctx.reads
			.selectFrom("errorText")
			.select(["jobId", "text"])
			.where("jobId", "in", jobIds)
			.execute();
		for (const { jobId, text } of found) errorTexts.set(jobId, text);
	}
	return rows.map((row, at) => {
		const texts = [row.searchText ?? "", errorTexts.get(row.jobId ?? 0) ?? ""];
		const line = lineWith(missing[at] ?? [], texts);
		return line === null ? view(row) : { ...view(row), matchedLine: line };
	});
}

/** The text that every row shows, in lower case. */
function shownText({ name, labels }: Found): string {
	const { build = "", branch = "" } = JSON.parse(labels) as Record<string, string>;
	return [name, build, branch].join("\n").toLowerCase();
}

function lineWith(words: readonly string[], texts: readonly string[]): string | null {
	for (const word of words) {
		for (const text of texts) {
			const at = text.toLowerCase().indexOf(word);
			if (at < 0) continue;
			const start = text.lastIndexOf("\n", at) + 1;
			const end = text.indexOf("\n", at);
			return text
				.slice(start, end < 0 ? undefined : end)
				.slice(0, MAX_CHARACTERS)
				.toWellFormed();
		}
	}
	return null;
}
