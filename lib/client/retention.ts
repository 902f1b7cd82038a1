/** The retention policy, and the form that edits it. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Retention, RetentionPolicy, RetentionPreview } from "@tapedeck/contract/retention.ts";
import { call } from "./api.ts";

/** While recordings are being deleted, to show how many are left. */
const OVERDUE_REFETCH_MS = 2_000;
/** After a jump of the clock, to show when it is back. */
const CLOCK_REFETCH_MS = 10_000;

export const retentionQuery = () =>
	queryOptions({
		queryKey: ["retention"] as const,
		queryFn: ({ signal }) => call<Retention>("GET", "/v1/retention", { signal }),
		refetchInterval: ({ state: { data } }) => {
			if ((data?.overdueRecordings ?? 0) > 0) return OVERDUE_REFETCH_MS;
			return data?.clockJump ? CLOCK_REFETCH_MS : false;
		},
	});

export function useSaveRetention() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (policy: RetentionPolicy) => call<Retention>("PUT", "/v1/retention", { body: policy }),
		onSuccess: (retention) => client.setQueryData(retentionQuery().queryKey, retention),
	});
}

export function useConfirmClock() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: () => call<Retention>("POST", "/v1/retention/confirm-clock"),
		onSuccess: (retention) => client.setQueryData(retentionQuery().queryKey, retention),
	});
}

/** Recordings that a policy would delete immediately. */
export const previewRetention = (policy: RetentionPolicy): Promise<RetentionPreview> =>
	call<RetentionPreview>("POST", "/v1/retention/preview", { body: policy });

/** The policy as text for inputs: empty means no limit, `maxBytes` is in GB. */
export type RetentionFormValues = Record<keyof RetentionPolicy, string>;

const GB = 1_000_000_000;

const textOf = (limit: number | null): string => (limit === null ? "" : String(limit));
const limitOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

export const retentionValuesOf = (policy: RetentionPolicy): RetentionFormValues => ({
	maxAgeDays: textOf(policy.maxAgeDays),
	maxDiskPercent: textOf(policy.maxDiskPercent),
	maxBytes: textOf(policy.maxBytes === null ? null : policy.maxBytes / GB),
	trashHours: textOf(policy.trashHours ?? null),
	testResultDays: textOf(policy.testResultDays ?? null),
});

export function policyOf({
	maxAgeDays,
	maxDiskPercent,
	maxBytes,
	trashHours,
	testResultDays,
}: RetentionFormValues): RetentionPolicy {
	const resultDays = limitOf(testResultDays);
	const gigabytes = limitOf(maxBytes);
	return {
		maxAgeDays: limitOf(maxAgeDays),
		maxDiskPercent: limitOf(maxDiskPercent),
		maxBytes: gigabytes === null ? null : Math.round(gigabytes * GB),
		// No trash is its limit, too.
		trashHours: limitOf(trashHours) ?? 0,
		// Results are always kept for some time: nothing entered changes nothing.
		...(resultDays === null ? {} : { testResultDays: resultDays }),
	};
}
