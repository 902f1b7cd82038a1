/** What an organization sets: API keys, runner tokens, retention. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Credential, NewCredential } from "../contract/credential.ts";
import type { Retention, RetentionPolicy } from "../contract/organization.ts";
import type { Page } from "../contract/page.ts";
import { call } from "./api.ts";

export type CredentialKind = "api-keys" | "runner-tokens";

export const credentialsQuery = (kind: CredentialKind) =>
	queryOptions({
		queryKey: ["credentials", kind] as const,
		queryFn: async ({ signal }) => {
			const all: Credential[] = [];
			let cursor: string | undefined;
			do {
				const page: Page<Credential> = await call("GET", `/v1/${kind}`, { query: { cursor, limit: 100 }, signal });
				all.push(...page.data);
				cursor = page.nextCursor ?? undefined;
			} while (cursor !== undefined);
			return all;
		},
	});

export function useCreateCredential(kind: CredentialKind) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (name: string) => call<NewCredential>("POST", `/v1/${kind}`, { body: { name } }),
		onSuccess: () => client.invalidateQueries({ queryKey: ["credentials", kind] }),
	});
}

export function useRevokeCredential(kind: CredentialKind) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<void>("DELETE", `/v1/${kind}/${id}`),
		onSuccess: () => client.invalidateQueries({ queryKey: ["credentials", kind] }),
	});
}

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
