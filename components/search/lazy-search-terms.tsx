"use client";

import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import type { Props } from "./search-terms.tsx";

const load = () => import("./search-terms.tsx").then((module) => module.SearchTerms);

/** The filters in a search; loaded with the first search. */
export function LazySearchTerms(props: Props) {
	const SearchTerms = useEagerLazyModule(load, props.q !== undefined);
	return SearchTerms === null || props.q === undefined ? null : <SearchTerms {...props} />;
}
