import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

const isWorthRepeating = (error: unknown): boolean =>
	error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);

/**
 * Caches for one tab. Data is kept fresh by live updates, so nothing is fetched again
 * because a window got focus; a reconnect of the event stream fetches everything.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
	const onError = (error: unknown) => {
		if (error instanceof ApiError && error.status === 401) onSignedOut();
	};
	return new QueryClient({
		queryCache: new QueryCache({ onError }),
		mutationCache: new MutationCache({ onError }),
		defaultOptions: {
			queries: {
				staleTime: 30_000,
				gcTime: 5 * 60_000,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
				retry: (count, error) => count < 3 && isWorthRepeating(error),
				retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
			},
		},
	});
}
