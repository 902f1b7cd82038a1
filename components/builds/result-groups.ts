/** The results of a build in groups: by the cause of the failure, or by the file of the test. */
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { isFailure } from "#components/tests/result-icon.tsx";

export const GROUPINGS = { none: "Not grouped", cause: "By cause", file: "By file" } as const;
export type Grouping = keyof typeof GROUPINGS;

/** The grouping of `?group=`; `none` if it names none. */
export const groupingOf = (value: string | undefined): Grouping =>
	(Object.keys(GROUPINGS) as Grouping[]).find((one) => one === value) ?? "none";

export interface ResultGroup {
	key: string;
	title: string;
	failed: number;
	results: TestResult[];
}

/** Groups with the most failures first; results without a failure, or without a file, come last. */
export function groupsOf(by: Exclude<Grouping, "none">, results: readonly TestResult[]): ResultGroup[] {
	const groups = Map.groupBy(results, (result) => keyOf(by, result));
	return [...groups]
		.map(([key, same]) => ({
			key: key ?? "",
			title: titleOf(by, key, same),
			failed: same.filter(isFailure).length,
			results: same,
		}))
		.toSorted(
			(a, b) => b.failed - a.failed || Number(a.key === "") - Number(b.key === "") || a.title.localeCompare(b.title),
		);
}

/** Null for a test without a failure, or without a file. */
function keyOf(by: Exclude<Grouping, "none">, result: TestResult): string | null {
	if (by === "file") return result.file;
	return isFailure(result) ? (result.cause ?? `test ${result.testId}`) : null;
}

function titleOf(by: Exclude<Grouping, "none">, key: string | null, [first]: readonly TestResult[]): string {
	if (by === "file") return key ?? "No file reported";
	if (key === null) return "No failure";
	return first?.reason ?? `${first?.test} failed without a message`;
}
