/** The news of a build's end for chats, as sentences before any chat formats them. */
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { Build } from "@tapedeck/contract/build.ts";
import type { BuildReport, ReportedCause } from "@tapedeck/contract/build-report.ts";
import {
	counted,
	countsOf,
	failingTests,
	headlineOf,
	moreCauses,
	namesOf,
	newCausesOf,
	newTestsOf,
} from "@tapedeck/contract/build-summary.ts";
import { oneLine } from "@tapedeck/contract/plain-text.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { Context } from "#lib/core/context.ts";
import { readBuild } from "#lib/recordings/builds.ts";
import { reportBuild } from "#lib/test-results/build-report.ts";

/** A message describes so many causes. */
const MAX_CAUSES = 10;
const MAX_TITLE = 200;
const MAX_NAME = 100;
const MAX_HEADLINE = 150;

interface CauseNews {
	title: string;
	details: string;
	url: string;
	/** The result whose frame shows the failure; null if there is no video of it. */
	frameOf: number | null;
}

export interface BuildNews {
	headline: string;
	/** The build's page. */
	url: string;
	/** `bad` with new failures, `fair` if only known ones are left. */
	mood: "good" | "fair" | "bad";
	/** Counts, and where the build comes from. */
	facts: string[];
	newCauses: { all: number; data: CauseNews[] };
	/** Still failing, flaky and fixed tests. */
	others: string[];
}

/** @throws not_found */
export async function readBuildNews(ctx: Context & { baseUrl: string }, build: string): Promise<BuildNews> {
	return newsOf(await readBuild(ctx, build), await reportBuild(ctx, build), ctx.baseUrl);
}

function newsOf(build: Build, report: BuildReport, baseUrl: string): BuildNews {
	const { causes, tests, branch, commit, previous, fixed, flaky } = report;
	const failing = failingTests(tests);
	const stillFailing = failing - causes.newTests;
	const outcome = headlineOf(report);
	return {
		headline: `${oneLine(build.build, MAX_HEADLINE - outcome.length - 2)}: ${outcome}`,
		url: `${baseUrl}/builds/${encodeURIComponent(build.build)}`,
		mood: causes.newTests > 0 ? "bad" : failing > 0 || build.status === "failed" ? "fair" : "good",
		facts: [
			[countsOf(report), ...(build.letThrough > 0 ? [`CI let ${build.letThrough} through`] : [])].join("; "),
			[
				...(branch === null ? [] : [`branch ${name(branch)}`]),
				...(commit === null ? [] : [`commit ${oneLine(commit, 12)}`]),
				...(previous === null ? [] : [`compared with ${name(previous)}`]),
			].join(", "),
		].filter((line) => line !== ""),
		newCauses: {
			all: causes.new,
			data: newCausesOf(report)
				.slice(0, MAX_CAUSES)
				.map((cause) => ({
					title: oneLine(cause.title, MAX_TITLE) || "A failure without a message",
					details: detailsOf(cause),
					url: `${baseUrl}${resultPath(cause.first)}`,
					frameOf: cause.first.hasFrame || cause.first.recordingId !== null ? cause.first.id : null,
				})),
		},
		others: [
			...(stillFailing > 0 ? [`Still failing: ${counted(stillFailing, "test")}`] : []),
			...(flaky.tests > 0 ? [`Flaky: ${namesOf(flaky, name)}`] : []),
			...(fixed.tests > 0 ? [`Fixed: ${namesOf(fixed, name)}`] : []),
		],
	};
}

/** For example Checkout › pays and 2 more · failed at about 0:12 · owner: Ada · muted until 2026-12-04. */
function detailsOf(cause: ReportedCause): string {
	const { triage } = cause;
	const about = aboutFailure(cause.first);
	const muted = triage.letsPass ? "CI passes until" : "muted until";
	return [
		newTestsOf(cause, name),
		...(about === null ? [] : [about]),
		triage.assignee === null ? "no owner" : `owner: ${name(triage.assignee.name)}`,
		...(triage.mutedUntil === null ? [] : [`${muted} ${triage.mutedUntil.slice(0, 10)}`]),
	].join(" · ");
}

/** The lines after the last cause that a message describes. */
export function linesAfterCauses({ newCauses: { all, data }, others }: BuildNews): string[] {
	const more = moreCauses(all, data.length);
	return more === null ? others : [more, ...others];
}

const name = (text: string): string => oneLine(text, MAX_NAME);
