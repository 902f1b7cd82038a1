/** A build as the comment on a pull or merge request: a line for each new cause, and whether the gate lets all pass. */
import { createHash } from "node:crypto";
import type { BuildReport } from "@tapedeck/client-source/index.ts";
import { markdownCode } from "@tapedeck/contract/markdown.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";

type Cause = BuildReport["causes"]["data"][number];

const MAX_CAUSES = 20;
const MAX_NAMES = 5;
const MAX_TEXT = 200;

/**
 * The first line of the comment, which no page shows. Workflows of one repository have a comment each.
 * @param labels of the build.
 */
export function markerOf({ repository = "", workflow = "" }: Record<string, string>): string {
	const hash = createHash("sha256").update(`${repository}\n${workflow}`).digest("hex").slice(0, 16);
	return `<!-- tapedeck comment ${hash} -->`;
}

/** Markdown. Names of tests are code, in which no site looks for mentions, references or HTML. */
export function buildComment(report: BuildReport, dashboardUrl: string): string {
	const { build, causes, fixed, flaky } = report;
	const url = `${dashboardUrl}/builds/${encodeURIComponent(build)}`;
	const listed = newCausesOf(report).slice(0, MAX_CAUSES);
	const more = causes.new - listed.length;
	const lines = [
		...listed.map((cause) => causeLine(cause, dashboardUrl)),
		...(more > 0 ? [`- and ${counted(more, "more new cause")}`] : []),
	];
	return [
		`### ${code(build)}: ${headlineOf(report)}`,
		...(lines.length === 0 ? [] : [lines.join("\n")]),
		verdictOf(report),
		[
			countsOf(report),
			...(flaky.tests > 0 ? [`Flaky: ${namesOf(flaky)}.`] : []),
			...(fixed.tests > 0 ? [`Fixed: ${namesOf(fixed)}.`] : []),
			`[The build in Tapedeck](${url})`,
		].join(" "),
	].join("\n\n");
}

export const newCausesOf = ({ causes }: BuildReport): Cause[] => causes.data.filter(({ newTests }) => newTests > 0);

export function headlineOf({ tests, causes }: BuildReport): string {
	if (tests.all === 0) return "no test results";
	if (failing({ tests }) === 0) return "no test fails";
	return causes.newTests === 0 ? "no new failures" : counted(causes.newTests, "new failure");
}

/** What `tapedeck run --gate` makes of these causes. */
export function verdictOf({ causes: { all, data } }: BuildReport): string {
	if (all === 0) return "Gate: open, no test fails.";
	const passing = data.filter(letsPass).length;
	if (passing === all) return `Gate: open, ${counted(all, "known cause")} let through.`;
	return `Gate: shut, nobody lets ${all - passing} of ${counted(all, "cause")} through.`;
}

const letsPass = ({ cause, triage }: Cause): boolean => cause !== null && triage.letsPass && triage.assignee !== null;

function causeLine(cause: Cause, dashboardUrl: string): string {
	const { title, first, newTests, triage } = cause;
	const more = newTests > 1 ? ` and ${newTests - 1} more` : "";
	const owner = triage.assignee === null ? "no owner" : `owner ${code(triage.assignee.name)}`;
	const passes = letsPass(cause) ? `, let through until ${triage.mutedUntil?.slice(0, 10)}` : "";
	return `- ${code(title)} in ${code(first.test)}${more}: [result](${dashboardUrl}${resultPath(first)}), ${owner}${passes}`;
}

function countsOf({ tests }: BuildReport): string {
	return `${counted(tests.all, "test")}: ${tests.passed} passed, ${failing({ tests })} failed, ${tests.skipped} skipped.`;
}

const failing = ({ tests }: Pick<BuildReport, "tests">): number => tests.failed + tests.error;

function namesOf({ tests, data }: BuildReport["flaky"]): string {
	const named = data.slice(0, MAX_NAMES).map(({ test }) => code(test));
	return named.join(", ") + (tests > named.length ? ` and ${tests - named.length} more` : "");
}

function code(text: string): string {
	const cut = text.length > MAX_TEXT ? `${[...text].slice(0, MAX_TEXT - 1).join("")}…` : text;
	return markdownCode(cut.trim() || " ");
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
