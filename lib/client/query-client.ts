import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

const isRetryable = (error: unknown): boolean =>
	error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);

/**
 * The query cache of a tab. Live updates keep data fresh, so nothing is fetched again on focus; a reconnect of the event
 * stream fetches everything.
 */
export function createQueryClient(): QueryClient {
	return new QueryClient({
		defaultOptions: {
			queries: {
				staleTime: 30_000,
				gcTime: 5 * 60_000,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
				retry: (count, error) => count < 3 && isRetryable(error),
				retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
			},
		},
	});
}
