/** Room on the dashboard's disk, for the pages. */
import { queryOptions } from "@tanstack/react-query";
import type { Storage } from "../contract/storage.ts";
import { call } from "./api.ts";

export const storageKeys = { one: ["storage"] as const };

export const storageQuery = () =>
	queryOptions({
		queryKey: storageKeys.one,
		queryFn: ({ signal }) => call<Storage>("GET", "/v1/storage", { signal }),
		// Full for less time than the server's looks at it are apart, it is told of by no event: neither that it was, nor
		// that it is over.
		refetchInterval: ({ state }) => (state.data?.state === "full" ? 10_000 : false),
	});
