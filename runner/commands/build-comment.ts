/** A build as the comment on a pull or merge request: a line for each new cause, and whether the gate lets all pass. */
import { createHash } from "node:crypto";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { BuildReport, ReportedCause } from "@tapedeck/contract/build-report.ts";
import {
	counted,
	countsOf,
	headlineOf,
	moreCauses,
	namesOf,
	newCausesOf,
	newTestsOf,
} from "@tapedeck/contract/build-summary.ts";
import { clipPath } from "@tapedeck/contract/clip.ts";
import { markdownCode } from "@tapedeck/contract/markdown.ts";
import { oneLine } from "@tapedeck/contract/plain-text.ts";
import { framePath, resultPath } from "@tapedeck/contract/result-path.ts";

const MAX_CAUSES = 20;
const MAX_TEXT = 200;

/**
 * The first line of the comment, which no page shows. Workflows of one repository have a comment each.
 * @param labels of the build.
 */
export function markerOf({ repository = "", workflow = "" }: Record<string, string>): string {
	const hash = createHash("sha256").update(`${repository}\n${workflow}`).digest("hex").slice(0, 16);
	return `<!-- tapedeck comment ${hash} -->`;
}

/** Clips outside of the dashboard, by the ids of the results. */
export interface Clips {
	/** Markdown that shows the clip. */
	attached: ReadonlyMap<number, string>;
	/** The address of the clip as an artifact of CI. */
	artifacts: ReadonlyMap<number, string>;
}

/** Markdown. Names of tests are code, in which no site looks for mentions, references or HTML. */
export function buildComment(
	report: BuildReport,
	dashboardUrl: string,
	{ attached, artifacts }: Clips = { attached: new Map(), artifacts: new Map() },
): string {
	const { build, causes, fixed, flaky } = report;
	const url = `${dashboardUrl}/builds/${encodeURIComponent(build)}`;
	const listed = newCausesOf(report).slice(0, MAX_CAUSES);
	const more = moreCauses(causes.new, listed.length);
	const lines = [
		...listed.flatMap((cause) => {
			const clip = attached.get(cause.first.id);
			return [
				causeLine(cause, dashboardUrl, artifacts.get(cause.first.id)),
				...(clip === undefined ? [] : ["", `  ${clip}`, ""]),
			];
		}),
		...(more === null ? [] : [`- ${more}`]),
	];
	return [
		`### ${code(build)}: ${headlineOf(report)}`,
		...(lines.length === 0 ? [] : [lines.join("\n").trimEnd()]),
		verdictOf(report),
		[
			`${countsOf(report)}.`,
			...(flaky.tests > 0 ? [`Flaky: ${namesOf(flaky, code)}.`] : []),
			...(fixed.tests > 0 ? [`Fixed: ${namesOf(fixed, code)}.`] : []),
			`[The build in Tapedeck](${url})`,
		].join(" "),
	].join("\n\n");
}

/** The decision of `tapedeck run --gate` about these causes. */
export function verdictOf({ causes: { all, data } }: BuildReport): string {
	if (all === 0) return "Gate: open, no test fails.";
	const passing = data.filter(letsPass).length;
	if (passing === all) return `Gate: open, ${counted(all, "known cause")} let through.`;
	return `Gate: shut, nobody lets ${all - passing} of ${counted(all, "cause")} through.`;
}

const letsPass = ({ cause, triage }: ReportedCause): boolean =>
	cause !== null && triage.letsPass && triage.assignee !== null;

function causeLine(cause: ReportedCause, dashboardUrl: string, artifact: string | undefined): string {
	const { title, first, triage } = cause;
	const paths = { result: resultPath(first), frame: framePath(first), clip: clipPath(first) };
	const links = Object.entries(paths).flatMap(([name, path]) =>
		path === null ? [] : [`[${name}](${dashboardUrl}${path})`],
	);
	if (artifact !== undefined) links.push(`[clip as artifact](${artifact})`);
	const owner = triage.assignee === null ? "no owner" : `owner ${code(triage.assignee.name)}`;
	const passes = letsPass(cause) ? [`let through until ${triage.mutedUntil?.slice(0, 10)}`] : [];
	const about = aboutFailure(first);
	const moment = about === null ? [] : [about];
	return `- ${code(title)} in ${newTestsOf(cause, code)}: ${[...links, ...moment, owner, ...passes].join(", ")}`;
}

const code = (text: string): string => markdownCode(oneLine(text, MAX_TEXT) || " ");
