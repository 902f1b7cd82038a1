/** An organization's members, invitations and settings. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewPasswordReset } from "@tapedeck/contract/account.ts";
import type {
	CreateInvitationBody,
	Invitation,
	Member,
	NewInvitation,
	OpenedInvitation,
} from "@tapedeck/contract/member.ts";
import type { Organization } from "@tapedeck/contract/organization.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { call } from "./api.ts";
import { everyPage } from "./paging.ts";
import { memberKeys } from "./query-keys.ts";
import { sessionKeys } from "./session.ts";

export const membersQuery = () =>
	queryOptions({
		queryKey: memberKeys.list,
		queryFn: ({ signal }) => everyPage<Member>("/v1/members", signal),
	});

export const invitationsQuery = () =>
	queryOptions({
		queryKey: memberKeys.invitations,
		queryFn: ({ signal }) => everyPage<Invitation>("/v1/invitations", signal),
	});

/** A mutation of members: afterwards the lists and the current user are fetched again. */
function useMemberMutation<T, V>(change: (input: V) => Promise<T>) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: change,
		onSettled: () => {
			void client.invalidateQueries({ queryKey: memberKeys.all });
			void client.invalidateQueries({ queryKey: sessionKeys.me });
		},
	});
}

export const useChangeRole = () =>
	useMemberMutation(({ userId, role }: { userId: number; role: Role }) =>
		call<Member>("PATCH", `/v1/members/${userId}`, { body: { role } }),
	);

export const useRemoveMember = () =>
	useMemberMutation((userId: number) => call<void>("DELETE", `/v1/members/${userId}`));

export const useTransferOwnership = () =>
	useMemberMutation((userId: number) => call<Member>("POST", "/v1/organization/transfer", { body: { userId } }));

export const useRenameOrganization = () =>
	useMemberMutation((name: string) => call<Organization>("PATCH", "/v1/organization", { body: { name } }));

export const useCreateOrganization = () =>
	useMemberMutation((name: string) => call<Organization>("POST", "/v1/organizations", { body: { name } }));

export const useInvite = () =>
	useMemberMutation((body: CreateInvitationBody) => call<NewInvitation>("POST", "/v1/invitations", { body }));

export const useRevokeInvitation = () =>
	useMemberMutation((id: number) => call<void>("DELETE", `/v1/invitations/${id}`));

export const useResetPasswordLink = () =>
	useMemberMutation((userId: number) => call<NewPasswordReset>("POST", `/v1/members/${userId}/password-reset`));

/** The invitation behind a token. @throws ApiError (404) if no invitation has it. */
export const openInvitation = (token: string): Promise<OpenedInvitation> =>
	call("POST", "/v1/invitations/open", { body: { token } });

/** Joins the organization with the signed-in account. */
export const acceptInvitation = (token: string): Promise<void> =>
	call("POST", "/v1/invitations/accept", { body: { token } });
