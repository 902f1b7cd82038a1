/** Why a search found nothing: the words and filters that find nothing by themselves. */
import { queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import { call } from "#lib/client/api.ts";
import { loadSearchLanguage } from "#lib/client/search-terms.ts";

export type SearchedPath = "/v1/jobs" | "/v1/recordings" | "/v1/builds" | "/v1/tests" | "/v1/test-summaries";

/** Terms of a search that find nothing without the others, as they are written. Those that exclude are not asked about. */
export const unmatchedTermsQuery = (path: SearchedPath, q: string) =>
	queryOptions({
		queryKey: ["unmatched-terms", path, q] as const,
		queryFn: async ({ signal }): Promise<string[]> => {
			const { parseSearch, printTerm } = await loadSearchLanguage();
			const terms = parseSearch(q).terms.filter(({ not }) => !not);
			const found = await Promise.all(
				terms.map((term) =>
					call<Page<unknown>>("GET", path, { query: { q: printTerm(term), limit: 1 }, signal }).then(
						// For a short word, the first rows of each page are checked.
						({ data, nextCursor }) => data.length > 0 || nextCursor !== null,
					),
				),
			);
			return terms.flatMap((term, index) => (found[index] ? [] : [printTerm(term)]));
		},
		staleTime: 10_000,
	});
