/** Parts of a build's page: its tests, all or some of them, its jobs and its videos. */
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import { steadyPasses } from "@tapedeck/contract/build-summary.ts";

const OF_TESTS = ["tests", "failed", "new", "still", "fixed", "flaky", "passed", "skipped", "running"] as const;
export type TestPart = (typeof OF_TESTS)[number];
export const BUILD_PARTS = [...OF_TESTS, "jobs", "videos"] as const;
export type BuildPart = (typeof BUILD_PARTS)[number];

export const isOfTests = (part: BuildPart): part is TestPart => part !== "jobs" && part !== "videos";

/** The part of `?show=`; null if it names none. */
export const partOf = (value: string | undefined): BuildPart | null =>
	BUILD_PARTS.find((part) => part === value) ?? null;

/** Number of the part's tests; 0 while that is unknown, and for jobs and videos. */
export function countOf(part: BuildPart, report: BuildReport | undefined): number {
	if (report === undefined) return 0;
	switch (part) {
		case "tests":
			return report.tests.all;
		case "failed":
			return report.tests.failed + report.tests.error;
		case "new":
			return report.newlyFailing.tests;
		case "still":
			return report.stillFailing.tests;
		case "fixed":
			return report.fixed.tests;
		case "flaky":
			return report.flaky.tests;
		case "passed":
			return steadyPasses(report.tests, report.flaky.tests);
		case "skipped":
		case "running":
			return report.tests[part];
		case "jobs":
		case "videos":
			return 0;
	}
}
