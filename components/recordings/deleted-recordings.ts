/** Queries for deleted recordings: those that can be restored, and the data of purged ones. */
import {
	infiniteQueryOptions,
	type QueryClient,
	queryOptions,
	useMutation,
	useQueryClient,
} from "@tanstack/react-query";
import type { DeletedRecording, Restored } from "@tapedeck/contract/deleted-recording.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { DeletionReason } from "@tapedeck/contract/recording-kinds.ts";
import { ApiError, call } from "#lib/client/api.ts";
import { pagesOf } from "#lib/client/paging.ts";
import { applyRecording, recordingKeys } from "#lib/client/recordings.ts";

const keys = { all: ["deleted-recordings"] as const, trash: ["deleted-recordings", "trash"] as const };

/** Filters of the trash: by the reason and the age of the deletion. */
export interface TrashFilters {
	reason?: DeletionReason[];
	deletedAfter?: string;
}

export const trashQuery = (filters: TrashFilters = {}) =>
	infiniteQueryOptions({
		queryKey: [...keys.trash, filters] as const,
		...pagesOf<Page<DeletedRecording>>("/v1/deleted-recordings", () => ({ restorable: "1", ...filters, limit: 50 })),
	});

/** Deleted recordings with this label `build`, including those whose videos are gone. */
export const deletedOfBuildQuery = (build: string) =>
	infiniteQueryOptions({
		queryKey: [...keys.all, "build", build] as const,
		...pagesOf<Page<DeletedRecording>>("/v1/deleted-recordings", () => ({ build, limit: 50 })),
	});

/** The data of a deleted recording; null if it was not deleted. */
export const deletedRecordingQuery = (id: number) =>
	queryOptions({
		queryKey: [...keys.all, id] as const,
		queryFn: async ({ signal }): Promise<DeletedRecording | null> => {
			try {
				return await call<DeletedRecording>("GET", `/v1/deleted-recordings/${id}`, { signal });
			} catch (error) {
				if (error instanceof ApiError && error.status === 404) return null;
				throw error;
			}
		},
	});

export function useRestoreRecording() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<Recording>("POST", `/v1/deleted-recordings/${id}/restore`),
		onSuccess: (recording) => {
			applyRecording(client, recording);
			void client.invalidateQueries({ queryKey: recordingKeys.lists });
		},
		onSettled: () => readAgain(client),
	});
}

/** Restores everything in the trash that matches, call by call. @returns how many. */
export function useRestoreDeleted() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: async (filters: TrashFilters) => {
			let restored = 0;
			const body = Object.keys(filters).length === 0 ? { all: true } : filters;
			for (;;) {
				const step = await call<Restored>("POST", "/v1/deleted-recordings/restore", { body });
				restored += step.restored;
				if (!step.hasMore || step.restored === 0) return restored;
			}
		},
		onSettled: () => {
			void client.invalidateQueries({ queryKey: recordingKeys.lists });
			return readAgain(client);
		},
	});
}

/** Permanently removes the video of a deleted recording. */
export function usePurgeRecording() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<void>("DELETE", `/v1/deleted-recordings/${id}`),
		onSettled: () => readAgain(client),
	});
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.all });
