"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

export interface Tab {
	/** An id without spaces. */
	id: string;
	title: ReactNode;
	content: ReactNode;
}

interface Props {
	label: string;
	tabs: readonly Tab[];
	/** For a box of a given height: the open panel takes the space below the tabs, and scrolls by itself. */
	fill?: boolean;
}

/**
 * Tabs and their panels. The first one is open until the user chooses another. Arrows, Home and End open the other
 * ones; Tab moves into the panel. Only the open panel is rendered.
 */
export function Tabs({ label, tabs, fill = false }: Props) {
	const id = useId();
	const list = useRef<HTMLDivElement>(null);
	const [chosen, choose] = useState<string | null>(null);
	const open = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
	if (open === undefined) return null;
	const onKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const forward = document.documentElement.dir === "rtl" ? -1 : 1;
		const from = tabs.indexOf(open);
		const targets: Record<string, number | undefined> = {
			ArrowRight: from + forward,
			ArrowLeft: from - forward,
			Home: 0,
			End: tabs.length - 1,
		};
		const target = targets[event.key];
		if (target === undefined) return;
		// The player has these keys, too.
		event.preventDefault();
		const index = (target + tabs.length) % tabs.length;
		choose(tabs[index]?.id ?? null);
		list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
	};
	return (
		<div className={clsx("flex flex-col", fill ? "min-h-0 flex-1" : "gap-4")}>
			<div
				ref={list}
				role="tablist"
				aria-label={label}
				onKeyDown={onKey}
				className={clsx("flex border-b border-line", fill ? "scroll-cue shrink-0 overflow-x-auto px-1" : "gap-1")}
			>
				{tabs.map((tab) => (
					<button
						key={tab.id}
						type="button"
						role="tab"
						id={`${id}tab-${tab.id}`}
						aria-selected={tab === open}
						aria-controls={tab === open ? `${id}panel` : undefined}
						// A single Tab stop: inside, the arrow keys move.
						tabIndex={tab === open ? 0 : -1}
						onClick={() => choose(tab.id)}
						className={clsx(
							"-mb-px h-9 shrink-0 rounded-t-md border-b-2 whitespace-nowrap transition-colors duration-100 focus-visible:-outline-offset-2",
							tab === open ? "border-accent font-medium" : "border-transparent text-muted hover:text-ink",
							fill ? "px-2 text-xs" : "px-3 text-sm",
						)}
					>
						{tab.title}
					</button>
				))}
			</div>
			<div
				key={open.id}
				role="tabpanel"
				id={`${id}panel`}
				aria-labelledby={`${id}tab-${open.id}`}
				className={clsx("flex flex-col", fill ? "min-h-0 flex-1" : "gap-3")}
			>
				{open.content}
			</div>
		</div>
	);
}
