/** Runners for the pages. An organization has few of them, so all are fetched together. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Page } from "../contract/page.ts";
import type { Runner } from "../contract/runner.ts";
import { call } from "./api.ts";

export const runnerKeys = { list: ["runners"] as const };

export const runnersQuery = () =>
	queryOptions({
		queryKey: runnerKeys.list,
		queryFn: async ({ signal }) => {
			const runners: Runner[] = [];
			let cursor: string | undefined;
			do {
				const page: Page<Runner> = await call("GET", "/v1/runners", { query: { cursor, limit: 100 }, signal });
				runners.push(...page.data);
				cursor = page.nextCursor ?? undefined;
			} while (cursor !== undefined);
			return runners;
		},
	});

/**
 * What a display shows now, as JPEG.
 * @returns null when nobody can tell: its runner is offline, or older than pictures, or the display went away; and
 *   when the signal was aborted.
 */
export async function fetchDisplayPicture(
	runnerId: number,
	displayId: string,
	signal: AbortSignal,
): Promise<Blob | null> {
	try {
		const path = `/v1/runners/${runnerId}/displays/${displayId.slice(1)}/picture`;
		const answer = await fetch(path, { signal, credentials: "same-origin" });
		return answer.ok ? await answer.blob() : null;
	} catch {
		return null;
	}
}

/** Shows `runner` everywhere. */
export function applyRunner(client: QueryClient, runner: Runner): void {
	client.setQueryData<Runner[]>(runnerKeys.list, (runners) => {
		if (runners === undefined) return undefined;
		const known = runners.some((one) => one.id === runner.id);
		return known ? runners.map((one) => (one.id === runner.id ? runner : one)) : [...runners, runner];
	});
}
