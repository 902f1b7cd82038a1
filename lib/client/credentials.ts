/** API keys and runner tokens, as owners and admins see them. */
import { queryOptions } from "@tanstack/react-query";
import type {
	ApiKey,
	CreateRunnerToken,
	NewApiKey,
	NewRunnerToken,
	RotatedToken,
	RunnerToken,
} from "@tapedeck/contract/credential.ts";
import type { Scope } from "@tapedeck/contract/permissions.ts";
import { call } from "./api.ts";
import { everyPage } from "./paging.ts";
import { useChange } from "./use-change.ts";

export type CredentialKind = "api-keys" | "runner-tokens";
const keyOf = (kind: CredentialKind) => ["credentials", kind] as const;

export const apiKeysQuery = () =>
	queryOptions({ queryKey: keyOf("api-keys"), queryFn: ({ signal }) => everyPage<ApiKey>("/v1/api-keys", signal) });

export const runnerTokensQuery = () =>
	queryOptions({
		queryKey: keyOf("runner-tokens"),
		queryFn: ({ signal }) => everyPage<RunnerToken>("/v1/runner-tokens", signal),
	});

export const useCreateApiKey = () =>
	useChange(keyOf("api-keys"), (body: { name: string; scopes: Scope[]; expiresAt: string | null }) =>
		call<NewApiKey>("POST", "/v1/api-keys", { body }),
	);

export const useCreateRunnerToken = () =>
	useChange(keyOf("runner-tokens"), (body: CreateRunnerToken) =>
		call<NewRunnerToken>("POST", "/v1/runner-tokens", { body }),
	);

export const useRotateRunnerToken = () =>
	useChange(keyOf("runner-tokens"), ({ id, graceSeconds }: { id: number; graceSeconds: number }) =>
		call<RotatedToken>("POST", `/v1/runner-tokens/${id}/rotate`, { query: { graceSeconds } }),
	);

export const useRevokeCredential = (kind: CredentialKind) =>
	useChange(keyOf(kind), (id: number) => call<void>("DELETE", `/v1/${kind}/${id}`));
