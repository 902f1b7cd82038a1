/** Failures by build and test, and the periods of which they are shown. */
import type { Failure } from "#lib/contract/failure.ts";

export interface TestFailures {
	/** The label `test`, else the name. */
	test: string;
	failures: Failure[];
}

export interface BuildFailures {
	/** The label `build`; null for failures without it. */
	build: string | null;
	count: number;
	tests: TestFailures[];
}

/** Groups failures in their order: a build or a test stands where the first of its failures is. */
export function groupFailures(failures: readonly Failure[]): BuildFailures[] {
	const builds = new Map<string | null, { count: number; tests: Map<string, Failure[]> }>();
	for (const failure of failures) {
		const key = failure.labels.build ?? null;
		const build = builds.get(key) ?? { count: 0, tests: new Map<string, Failure[]>() };
		builds.set(key, build);
		build.count += 1;
		const test = failure.labels.test ?? failure.name;
		const ofTest = build.tests.get(test) ?? [];
		build.tests.set(test, ofTest);
		ofTest.push(failure);
	}
	return [...builds].map(([build, { count, tests }]) => ({
		build,
		count,
		tests: [...tests].map(([test, ofTest]) => ({ test, failures: ofTest })),
	}));
}

export const PERIODS = ["seen", "night", "day", "week"] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const NIGHT_BEGINS = 18;

/** The period of `?since=`. */
export const periodOf = (value: string | null | undefined): Period =>
	PERIODS.find((period) => period === value) ?? "seen";

/**
 * When a period began, in milliseconds since 1970. The night began at 18:00 of the day before, in the user's zone.
 * @param seenAt up to when the user has seen what failed; null if they never said so: then it is the last week.
 */
export function startOf(period: Period, now: number, seenAt: number | null): number {
	const week = now - 7 * 24 * HOUR_MS;
	switch (period) {
		case "seen":
			return seenAt ?? week;
		case "night": {
			const evening = new Date(now);
			evening.setDate(evening.getDate() - 1);
			return evening.setHours(NIGHT_BEGINS, 0, 0, 0);
		}
		case "day":
			return now - 24 * HOUR_MS;
		case "week":
			return week;
	}
}
