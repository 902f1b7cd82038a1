"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import { SearchX } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { call } from "#lib/client/api.ts";
import { loadSearchLanguage } from "#lib/client/search-terms.ts";

interface Props {
	/** The plural: `jobs`. */
	what: string;
	path: SearchedPath;
	/** The search, if there is one. */
	q: string | undefined;
	onClearFilters(): void;
}

/** Shown instead of an empty list: names the word or filter that finds nothing by itself. */
export function NoMatches({ what, path, q = "", onClearFilters }: Props) {
	const unmatched = useQuery({ ...unmatchedTermsQuery(path, q), enabled: q !== "" }).data ?? [];
	const clear = () => {
		onClearFilters();
		// The button goes; the next search begins in the field.
		document.querySelector<HTMLElement>('input[type="search"]')?.focus();
	};
	return (
		<EmptyState
			icon={SearchX}
			title={`No ${what} match these filters`}
			actions={<Button onClick={clear}>Clear filters</Button>}
		>
			{unmatched.length === 0
				? "Try another name or fewer filters."
				: `Nothing is found by ${listOf(unmatched)}. Try without ${unmatched.length === 1 ? "it" : "them"}.`}
		</EmptyState>
	);
}

const listOf = (terms: readonly string[]): string =>
	terms.length < 2 ? terms.join("") : `${terms.slice(0, -1).join(", ")} or ${terms.at(-1)}`;

type SearchedPath = "/v1/jobs" | "/v1/recordings" | "/v1/builds" | "/v1/tests" | "/v1/test-summaries";

/** Terms of a search that find nothing without the others, as they are written. Those that exclude are not asked about. */
const unmatchedTermsQuery = (path: SearchedPath, q: string) =>
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
