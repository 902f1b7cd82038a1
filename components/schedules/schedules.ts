/** Schedules as the settings show them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Schedule } from "@tapedeck/contract/schedule.ts";
import { call } from "#lib/client/api.ts";

const KEY = ["schedules"] as const;
/** Starts come without an event of their own. */
const REFRESH_MS = 3_000;

export const schedulesQuery = () =>
	queryOptions({
		queryKey: KEY,
		queryFn: async ({ signal }) => (await call<Page<Schedule>>("GET", "/v1/schedules", { signal })).data,
		refetchInterval: REFRESH_MS,
	});

function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
	const client = useQueryClient();
	return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: KEY }) });
}

export const usePauseSchedule = () =>
	useChange(({ id, paused }: Pick<Schedule, "id" | "paused">) =>
		call<Schedule>("PATCH", `/v1/schedules/${id}`, { body: { paused } }),
	);
export const useDeleteSchedule = () => useChange((id: number) => call<void>("DELETE", `/v1/schedules/${id}`));
