/** The summary of a build in messages and comments. These differ in their links, and in the markup of names. */
import type { BuildReport, ReportedCause } from "./build-report.ts";

/** Tests that a line names. */
const MAX_NAMES = 5;

/** For example 2 new failures. */
export function headlineOf({ tests, causes }: BuildReport): string {
	if (tests.all === 0) return "no test results";
	if (failingTests(tests) === 0) return "no test fails";
	return causes.newTests === 0 ? "no new failures" : counted(causes.newTests, "new failure");
}

export const failingTests = ({ failed, error }: Pick<BuildReport["tests"], "failed" | "error">): number =>
	failed + error;

/** Tests that passed without being flaky: reports and builds count flaky tests among those that passed. */
export const steadyPasses = ({ passed }: Pick<BuildReport["tests"], "passed">, flaky: number): number => passed - flaky;

/** For example 4 tests: 1 passed, 2 failed, 0 skipped, 1 flaky. Each test counts once. */
export const countsOf = ({ tests, flaky }: BuildReport): string =>
	[
		`${counted(tests.all, "test")}: ${steadyPasses(tests, flaky.tests)} passed`,
		`${failingTests(tests)} failed`,
		`${tests.skipped} skipped`,
		...(flaky.tests > 0 ? [`${flaky.tests} flaky`] : []),
		...(tests.running > 0 ? [`${tests.running} running`] : []),
	].join(", ");

/** Causes that some of their tests did not fail with in the build before. */
export const newCausesOf = ({ causes }: BuildReport): ReportedCause[] =>
	causes.data.filter(({ newTests }) => newTests > 0);

/** For example Checkout › pays and 2 more. @param show how a name is shown. */
export const newTestsOf = ({ first, newTests }: ReportedCause, show: (name: string) => string): string =>
	`${show(first.test)}${newTests > 1 ? ` and ${newTests - 1} more` : ""}`;

/** The line after the listed new causes; null if all are listed. */
export const moreCauses = (all: number, listed: number): string | null =>
	all === listed ? null : `and ${counted(all - listed, "more new cause")}`;

/** For example Login, Search and 3 more. @param show how a name is shown. */
export function namesOf({ tests, data }: BuildReport["flaky"], show: (name: string) => string): string {
	const named = data.slice(0, MAX_NAMES).map(({ test }) => show(test));
	return named.join(", ") + (tests > named.length ? ` and ${tests - named.length} more` : "");
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
