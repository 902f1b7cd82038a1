/** Apart from other queries of failures, which the page of a recording does not need. */
import { queryOptions } from "@tanstack/react-query";
import type { LastPassed } from "@tapedeck/contract/failure.ts";
import { call } from "#lib/client/api.ts";

/** The last recording of the same test that passed before this one. */
export const lastPassedQuery = (recordingId: number) =>
	queryOptions({
		queryKey: ["lastPassed", recordingId] as const,
		queryFn: ({ signal }) => call<LastPassed>("GET", `/v1/recordings/${recordingId}/last-passed`, { signal }),
	});
