/** The news of a build's end for chats, as sentences before any chat formats them. */
import type { Build } from "@tapedeck/contract/build.ts";
import type { BuildReport, ReportedCause } from "@tapedeck/contract/build-report.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { Context } from "#lib/core/context.ts";
import { readBuild } from "#lib/recordings/builds.ts";
import { reportBuild } from "#lib/test-results/build-report.ts";

/** A message describes so many causes, and names so many flaky and so many fixed tests. */
const MAX_CAUSES = 10;
const MAX_NAMES = 5;
const MAX_TITLE = 200;
const MAX_NAME = 100;
const MAX_HEADLINE = 150;

export interface BuildNews {
	headline: string;
	/** The build's page. */
	url: string;
	/** `bad` with new failures, `fair` if only known ones are left. */
	mood: "good" | "fair" | "bad";
	/** Counts, and where the build comes from. */
	facts: string[];
	newCauses: { all: number; data: { title: string; details: string; url: string }[] };
	/** Still failing, flaky and fixed tests. */
	others: string[];
}

/** @throws not_found */
export async function readBuildNews(ctx: Context & { baseUrl: string }, name: string): Promise<BuildNews> {
	return newsOf(await readBuild(ctx, name), await reportBuild(ctx, name), ctx.baseUrl);
}

function newsOf(build: Build, report: BuildReport, baseUrl: string): BuildNews {
	const { causes, tests, branch, commit, previous, fixed, flaky } = report;
	const failing = tests.failed + tests.error;
	const stillFailing = failing - causes.newTests;
	const news = causes.newTests > 0 ? counted(causes.newTests, "new failure") : "no new failures";
	const outcome = tests.all === 0 ? "ended without test results" : failing === 0 ? "no test fails" : news;
	return {
		headline: `${cut(build.build, MAX_HEADLINE - outcome.length - 2)}: ${outcome}`,
		url: `${baseUrl}/builds/${encodeURIComponent(build.build)}`,
		mood: causes.newTests > 0 ? "bad" : failing > 0 || build.status === "failed" ? "fair" : "good",
		facts: [
			[
				`${counted(tests.all, "test")}: ${tests.passed} passed, ${failing} failed, ${tests.skipped} skipped`,
				...(build.letThrough > 0 ? [`CI let ${build.letThrough} through`] : []),
			].join("; "),
			[
				...(branch === null ? [] : [`branch ${cut(branch, MAX_NAME)}`]),
				...(commit === null ? [] : [`commit ${cut(commit, 12)}`]),
				...(previous === null ? [] : [`compared with ${cut(previous, MAX_NAME)}`]),
			].join(", "),
		].filter((line) => line !== ""),
		newCauses: {
			all: causes.new,
			data: causes.data
				.filter(({ newTests }) => newTests > 0)
				.slice(0, MAX_CAUSES)
				.map((cause) => ({
					title: cut(cause.title, MAX_TITLE) || "A failure without a message",
					details: detailsOf(cause),
					url: `${baseUrl}${resultPath(cause.first)}`,
				})),
		},
		others: [
			...(stillFailing > 0 ? [`Still failing: ${counted(stillFailing, "test")}`] : []),
			...(flaky.tests > 0 ? [`Flaky: ${namesOf(flaky)}`] : []),
			...(fixed.tests > 0 ? [`Fixed: ${namesOf(fixed)}`] : []),
		],
	};
}

/** Such as: Checkout › pays and 2 more · owner: Ada · muted until 2026-12-04. */
function detailsOf({ first, newTests, triage }: ReportedCause): string {
	const more = newTests > 1 ? ` and ${newTests - 1} more` : "";
	const muted = triage.letsPass ? "CI passes until" : "muted until";
	return [
		cut(first.test, MAX_NAME) + more,
		triage.assignee === null ? "no owner" : `owner: ${cut(triage.assignee.name, MAX_NAME)}`,
		...(triage.mutedUntil === null ? [] : [`${muted} ${triage.mutedUntil.slice(0, 10)}`]),
	].join(" · ");
}

function namesOf({ tests, data }: BuildReport["flaky"]): string {
	const named = data.slice(0, MAX_NAMES).map(({ test }) => cut(test, MAX_NAME));
	return named.join(", ") + (tests > named.length ? ` and ${tests - named.length} more` : "");
}

/** The line after the last cause that a message describes; null if it describes all. */
export function moreCauses({ newCauses: { all, data } }: BuildNews): string | null {
	const more = all - data.length;
	return more === 0 ? null : `and ${more} more new ${more === 1 ? "cause" : "causes"}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** On one line. */
function cut(text: string, max: number): string {
	const line = sanitizeName(text.replace(/\s+/g, " "), text.length);
	return line.length > max ? `${sanitizeName(line, max - 1)}…` : line;
}
