/** Links that share a recording with anyone who has the link. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreateShareLink, NewShareLink, ShareLink } from "@tapedeck/contract/link.ts";
import { call } from "#lib/client/api.ts";
import { everyPage } from "#lib/client/paging.ts";

const keyOf = (recordingId: number) => ["share-links", recordingId] as const;
const pathOf = (recordingId: number) => `/v1/recordings/${recordingId}/links`;

export const shareLinksQuery = (recordingId: number) =>
	queryOptions({
		queryKey: keyOf(recordingId),
		queryFn: ({ signal }) => everyPage<ShareLink>(pathOf(recordingId), signal),
	});

function useChange<Input, Answer>(recordingId: number, change: (input: Input) => Promise<Answer>) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: change,
		onSuccess: () => client.invalidateQueries({ queryKey: keyOf(recordingId) }),
	});
}

export const useCreateShareLink = (recordingId: number) =>
	useChange(recordingId, (body: Partial<CreateShareLink> & Pick<CreateShareLink, "expiresAt">) =>
		call<NewShareLink>("POST", pathOf(recordingId), { body }),
	);

export const useRevokeShareLink = (recordingId: number) =>
	useChange(recordingId, (linkId: number) => call<void>("DELETE", `${pathOf(recordingId)}/${linkId}`));
