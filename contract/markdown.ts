/** Text in Markdown. Whatever it contains, it is shown as it is, and ends nothing of what is around it. */

/** Text of one line, without any meaning in Markdown or HTML. */
export const markdownText = (text: string): string =>
	text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#|~@!&]/g, (sign) => `\\${sign}`);

/** A block of text, with a fence that is longer than any in it. */
export function markdownBlock(text: string): string {
	const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

/** Text of one line, as code within a line. */
export function markdownCode(text: string): string {
	const fence = "`".repeat(longestRun(text) + 1);
	const pad = fence.length > 1 ? " " : "";
	return `${fence}${pad}${text.replace(/\s+/g, " ")}${pad}${fence}`;
}

/** The longest run of backticks. */
const longestRun = (text: string): number =>
	(text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
