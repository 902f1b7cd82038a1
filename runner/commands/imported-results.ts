/** The tests of reports as results that the dashboard takes. */
import { isAbsolute, relative } from "node:path";
import type { ReportedStep, ReportedTest } from "@tapedeck/client-source/index.ts";
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_RESULT_KEY, sanitizeTitle } from "@tapedeck/contract/test-result.ts";
import type { ImportedStep, ImportedTest } from "./imported-test.ts";

/** Results with a key each, and with attempts if the report gives only the start times. */
export function resultsOf(tests: readonly ImportedTest[]): ReportedTest[] {
	const nameOf = ({ test, project }: ImportedTest): string => (project === null ? test : `${test} [${project}]`);
	const attempts = new Map<ImportedTest, number>();
	const counted = tests.filter(({ attempt }) => attempt === null);
	for (const same of Map.groupBy(counted, nameOf).values()) {
		same.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
		for (const [index, test] of same.entries()) attempts.set(test, index + 1);
	}
	const numbers = new Map<string, number>();
	return tests.map((each) => {
		const { startedAt, endedAt, isApproximate, steps, files: _, attempt, outcome, ...rest } = each;
		const name = nameOf(each);
		const number = (numbers.get(name) ?? 0) + 1;
		numbers.set(name, number);
		const end = `#${number}`;
		const begun = startedAt ?? endedAt;
		return {
			...rest,
			file: fileFrom(rest.file),
			key: `${sanitizeTitle(name, MAX_RESULT_KEY - end.length)}${end}`,
			outcome,
			attempt: Math.min(1_000, Math.max(1, attempt ?? attempts.get(each) ?? 1)),
			...(begun === null ? {} : { startedAt: timeOf(begun), endedAt: timeOf(Math.max(begun, endedAt ?? begun)) }),
			...(isApproximate ? { isApproximate: true } : {}),
			...(steps.length === 0 ? {} : { steps: steps.map(stepOf) }),
		};
	});
}

/** Within the folder that the command runs in, a path is the same on every machine. */
function fileFrom(file: string | null): string | null {
	if (file === null || !isAbsolute(file)) return file;
	const own = relative(process.cwd(), file);
	return own.startsWith("..") || isAbsolute(own) ? file : own;
}

const stepOf = ({ startedAt, endedAt, steps, ...step }: ImportedStep): ReportedStep => ({
	...step,
	...(startedAt === null ? {} : { startedAt: timeOf(startedAt) }),
	...(endedAt === null ? {} : { endedAt: timeOf(endedAt) }),
	...(steps.length === 0 ? {} : { steps: steps.map(stepOf) }),
});

/** Times that a report says are sent as they are. Those that no calendar has are cut to what it has. */
function timeOf(at: number): string {
	const YEAR_9999 = 253_402_300_799_000;
	return new Date(Math.min(Math.max(0, at), YEAR_9999)).toISOString();
}

/** By the last attempt of each test. */
export function outcomeOf(results: readonly ReportedTest[]): Outcome {
	const last = [...Map.groupBy(results, ({ test, project }) => `${project ?? ""}\n${test}`).values()].map(
		(attempts) => attempts.toSorted((a, b) => (a.attempt ?? 1) - (b.attempt ?? 1)).at(-1)?.outcome ?? null,
	);
	if (last.some(isFailure)) return "failed";
	return last.includes("passed") ? "passed" : "skipped";
}
