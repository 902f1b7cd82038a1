/** The summary of a GitHub Actions step: the run, and the tests that failed. */
import { appendFile } from "node:fs/promises";

const MAX_TESTS = 50;

export interface StepSummary {
	kind: "Recording" | "Test run";
	/** Its page. */
	url: string;
	name: string;
	outcome: string;
	/** Links of failed tests, without secrets: unlike the log, a summary is not masked by GitHub. */
	links: readonly { title: string; url: string }[];
}

/**
 * Adds to the file that GitHub Actions names, if it does.
 * @throws what the file system says.
 */
export async function addStepSummary(summary: StepSummary, env: NodeJS.ProcessEnv): Promise<void> {
	const { GITHUB_STEP_SUMMARY: file } = env;
	if (file) await appendFile(file, markdownOf(summary));
}

function markdownOf({ kind, url, name, outcome, links }: StepSummary): string {
	const shown = links.slice(0, MAX_TESTS).map((link) => `- [${plain(link.title)}](${link.url})`);
	const more = links.length > MAX_TESTS ? [`- and ${links.length - MAX_TESTS} more`] : [];
	const tests = links.length === 0 ? [] : ["", "Failed tests:", "", ...shown, ...more];
	return [`| ${kind} | Outcome |`, "|---|---|", `| [${plain(name)}](${url}) | ${outcome} |`, ...tests, "", ""].join(
		"\n",
	);
}

/** Characters that the text of a link must not contain. */
const plain = (text: string): string => text.replace(/\s+/g, " ").replace(/[|[\]<>`*_\\]/g, "\\$&");
