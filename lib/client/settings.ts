/** What an organization sets: how long recordings are kept. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Retention, RetentionPolicy } from "../contract/organization.ts";
import { call } from "./api.ts";

export const retentionQuery = () =>
	queryOptions({
		queryKey: ["retention"] as const,
		queryFn: ({ signal }) => call<Retention>("GET", "/v1/retention", { signal }),
	});

export function useSaveRetention() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (policy: RetentionPolicy) => call<Retention>("PUT", "/v1/retention", { body: policy }),
		onSuccess: (retention) => client.setQueryData(retentionQuery().queryKey, retention),
	});
}
