"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { type SearchedPath, unmatchedTermsQuery } from "./unmatched-terms.ts";

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
