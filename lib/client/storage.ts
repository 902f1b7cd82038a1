/** Disk space and storage quota, for the pages. */
import { queryOptions } from "@tanstack/react-query";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { call } from "./api.ts";

export const storageKeys = { one: ["storage"] as const };

export const storageQuery = () =>
	queryOptions({
		queryKey: storageKeys.one,
		queryFn: ({ signal }) => call<Storage>("GET", "/v1/storage", { signal }),
		// If the disk is full for less than the server's check interval, no event reports either change.
		refetchInterval: ({ state }) => (state.data?.state === "full" ? 10_000 : false),
	});
