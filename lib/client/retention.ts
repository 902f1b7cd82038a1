/** The retention policy, and the form that edits it. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Retention, RetentionPolicy } from "#lib/contract/organization.ts";
import { call } from "./api.ts";

/** While recordings are being deleted, to show how many are left. */
const OVERDUE_REFETCH_MS = 2_000;

export const retentionQuery = () =>
	queryOptions({
		queryKey: ["retention"] as const,
		queryFn: ({ signal }) => call<Retention>("GET", "/v1/retention", { signal }),
		refetchInterval: ({ state }) => ((state.data?.overdueRecordings ?? 0) > 0 ? OVERDUE_REFETCH_MS : false),
	});

export function useSaveRetention() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (policy: RetentionPolicy) => call<Retention>("PUT", "/v1/retention", { body: policy }),
		onSuccess: (retention) => client.setQueryData(retentionQuery().queryKey, retention),
	});
}

/** The policy as text for inputs: empty means no limit, `maxBytes` is in GB. */
export type RetentionFormValues = Record<keyof RetentionPolicy, string>;

const GB = 1_000_000_000;

const textOf = (limit: number | null): string => (limit === null ? "" : String(limit));
const limitOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

export const retentionValuesOf = ({ maxAgeDays, maxDiskPercent, maxBytes }: RetentionPolicy): RetentionFormValues => ({
	maxAgeDays: textOf(maxAgeDays),
	maxDiskPercent: textOf(maxDiskPercent),
	maxBytes: textOf(maxBytes === null ? null : maxBytes / GB),
});

export function policyOf({ maxAgeDays, maxDiskPercent, maxBytes }: RetentionFormValues): RetentionPolicy {
	const gigabytes = limitOf(maxBytes);
	return {
		maxAgeDays: limitOf(maxAgeDays),
		maxDiskPercent: limitOf(maxDiskPercent),
		maxBytes: gigabytes === null ? null : Math.round(gigabytes * GB),
	};
}
