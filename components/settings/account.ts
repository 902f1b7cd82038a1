/** The signed-in user's account: name, password, sessions. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { AccountSession } from "@tapedeck/contract/account.ts";
import { call } from "#lib/client/api.ts";
import { everyPage } from "#lib/client/paging.ts";
import { sessionKeys } from "#lib/client/session.ts";

export const sessionsQuery = () =>
	queryOptions({
		queryKey: sessionKeys.list,
		queryFn: ({ signal }) => everyPage<AccountSession>("/v1/me/sessions", signal),
	});

function useAccountMutation<V>(changed: readonly string[], change: (input: V) => Promise<void>) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: change,
		onSettled: () => client.invalidateQueries({ queryKey: changed }),
	});
}

export const useRevokeSession = () =>
	useAccountMutation(sessionKeys.list, (id: number) => call<void>("DELETE", `/v1/me/sessions/${id}`));

export const useRevokeOtherSessions = () =>
	useAccountMutation<void>(sessionKeys.list, () => call<void>("DELETE", "/v1/me/sessions"));

export const useChangePassword = () =>
	useAccountMutation(
		sessionKeys.list,
		(body: { currentPassword: string; newPassword: string; endOtherSessions: boolean }) =>
			call<void>("POST", "/v1/me/password", { body }),
	);

export const useChangeName = () =>
	useAccountMutation(sessionKeys.me, (name: string) => call<void>("PATCH", "/v1/me", { body: { name } }));
