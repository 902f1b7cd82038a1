import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { ReactNode } from "react";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { OUTCOME_OPTIONS, OutcomeIcon } from "./outcome-badge.tsx";

interface Props {
	/** The search, which includes the selected outcomes. */
	q: string;
	/** Gets the search with the chosen outcomes. */
	onChange(q: string): void;
	/** The number of items that each choice would show, as text. */
	countOf?(outcome: Outcome): ReactNode;
}

/** The filter by outcome. */
export const OutcomeChips = ({ q, onChange, countOf }: Props) => (
	<fieldset>
		<legend className="sr-only">Filter by outcome</legend>
		<div className="flex w-max gap-1 p-0.5">
			{OUTCOME_OPTIONS.map(([outcome, name]) => {
				const term = new RegExp(`(?:^|\\s)outcome:${outcome}(?=\\s|$)`);
				const isChosen = term.test(q);
				const next = isChosen ? q.replace(term, " ").trim() : `${q} outcome:${outcome}`.trim();
				return (
					<FilterChip key={outcome} pressed={isChosen} onClick={() => onChange(next)}>
						<OutcomeIcon outcome={outcome} className="size-3.5" />
						{name}
						{countOf?.(outcome)}
					</FilterChip>
				);
			})}
		</div>
	</fieldset>
);
