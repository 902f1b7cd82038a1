import type { FailureGroup, FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import type { TriageOf } from "./failures.ts";

/** What a decision about a group is about; null for groups that nobody decides about. */
export function triageOf(by: FailureGrouping, { key }: FailureGroup): TriageOf | null {
	if (key === null) return null;
	if (by === "cause") return { cause: key };
	return by === "test" ? { testId: Number(key) } : null;
}
