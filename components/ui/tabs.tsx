"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId } from "react";

interface Props<T extends string> {
	/** The accessible name of the list of tabs. */
	label: string;
	tabs: readonly { id: T; title: string }[];
	chosen: T;
	onChoose(id: T): void;
	/** What the chosen tab shows. */
	children: ReactNode;
}

/** Tabs and the one panel below them: arrows, Home and End move between the tabs, Tab goes on into the panel. */
export function Tabs<T extends string>({ label, tabs, chosen, onChoose, children }: Props<T>) {
	const base = useId();
	const tabId = (id: T) => `${base}-${id}`;
	const onKeyDown = (event: KeyboardEvent) => {
		const at = tabs.findIndex(({ id }) => id === chosen);
		const forwards = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
		const moves: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at - 1, Home: 0, End: tabs.length - 1 };
		moves[forwards] = at + 1;
		const to = moves[event.key];
		const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
		if (next === undefined) return;
		event.preventDefault();
		onChoose(next.id);
		document.getElementById(tabId(next.id))?.focus();
	};
	return (
		<>
			<div role="tablist" aria-label={label} onKeyDown={onKeyDown} className="flex gap-1 border-b border-line">
				{tabs.map(({ id, title }) => (
					<button
						key={id}
						id={tabId(id)}
						type="button"
						role="tab"
						aria-selected={id === chosen}
						aria-controls={`${base}-panel`}
						tabIndex={id === chosen ? 0 : -1}
						onClick={() => onChoose(id)}
						className={clsx(
							"-mb-px h-9 rounded-t-md border-b-2 px-3 text-sm transition-colors duration-100 focus-visible:-outline-offset-2",
							id === chosen ? "border-accent font-medium" : "border-transparent text-muted hover:text-ink",
						)}
					>
						{title}
					</button>
				))}
			</div>
			<div id={`${base}-panel`} role="tabpanel" aria-labelledby={tabId(chosen)} className="flex flex-col gap-3">
				{children}
			</div>
		</>
	);
}
