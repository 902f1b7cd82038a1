"use client";

import { parseSearch, printTerm, withoutTerm } from "@tapedeck/contract/search.ts";
import { clsx } from "clsx";
import { X } from "lucide-react";

export interface Props {
	q: string | undefined;
	onChange(q: string | undefined): void;
	className?: string;
}

/** The filters in a search, each of which can be taken away, and what is wrong with it. Nothing for plain words. */
export function SearchTerms({ q = "", onChange, className }: Props) {
	const { terms, places, faults } = parseSearch(q);
	const filters = terms.flatMap((term, index) => {
		const place = places[index];
		return place === undefined || (term.kind === "word" && !term.not) ? [] : [{ text: printTerm(term), ...place }];
	});
	if (filters.length === 0 && faults.length === 0) return null;
	const remove = (filter: (typeof filters)[number]) => {
		onChange(withoutTerm(q, filter) || undefined);
		// The last one leaves no neighbour; the field is where others come from.
		if (filters.length === 1) document.querySelector<HTMLElement>('input[type="search"]')?.focus();
	};
	return (
		<div className={clsx("flex flex-wrap items-center gap-x-3 gap-y-1", className)}>
			{filters.length > 0 ? (
				<ul aria-label="Filters in the search" className="flex min-w-0 flex-wrap gap-1">
					{filters.map((filter) => (
						<li key={filter.at} className="min-w-0 max-w-full">
							<button
								type="button"
								aria-label={`Remove ${filter.text}`}
								title={`Remove ${filter.text}`}
								onClick={() => remove(filter)}
								className="flex h-7 max-w-full items-center gap-1 rounded-full border border-accent bg-accent-soft px-2.5 font-mono text-xs text-ink hover:border-line-strong"
							>
								<span className="truncate">{filter.text}</span>
								<X aria-hidden className="size-3 shrink-0" />
							</button>
						</li>
					))}
				</ul>
			) : null}
			{faults.length > 0 ? (
				<p role="status" className="min-w-0 text-xs text-danger">
					{faults.map(({ at, length, message }) => (
						<span key={at} className="me-2">
							<code className="rounded bg-soft-danger px-1">{q.slice(at, at + length)}</code> {message}
						</span>
					))}
				</p>
			) : null}
		</div>
	);
}
