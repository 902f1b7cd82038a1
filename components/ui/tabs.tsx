"use client";

import * as Radix from "@radix-ui/react-tabs";
import { clsx } from "clsx";
import { type ReactNode, useState } from "react";

export interface Tab {
	id: string;
	title: ReactNode;
	content: ReactNode;
}

interface Props {
	label: string;
	tabs: readonly Tab[];
	/** In a box of a given height: the open panel takes what the tabs leave, and scrolls by itself. */
	fill?: boolean;
}

/**
 * Tabs and their panels. The first one is open until another one is chosen. Arrows, Home and End open the other ones; Tab
 * goes on into the panel. A panel that is not open is not rendered.
 */
export function Tabs({ label, tabs, fill = false }: Props) {
	const [dir] = useState<"rtl" | "ltr">(() => (document.documentElement.dir === "rtl" ? "rtl" : "ltr"));
	const [chosen, choose] = useState<string | null>(null);
	const open = (tabs.find(({ id }) => id === chosen) ?? tabs[0])?.id;
	return (
		<Radix.Root
			value={open}
			onValueChange={choose}
			dir={dir}
			className={clsx("flex flex-col", fill ? "min-h-0 flex-1" : "gap-4")}
		>
			<Radix.List
				aria-label={label}
				className={clsx("flex border-b border-line", fill ? "shrink-0 overflow-x-auto px-1" : "gap-1")}
			>
				{tabs.map(({ id, title }) => (
					<Radix.Trigger
						key={id}
						value={id}
						className={clsx(
							"-mb-px h-9 shrink-0 rounded-t-md border-b-2 whitespace-nowrap transition-colors duration-100 focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=inactive]:border-transparent data-[state=inactive]:text-muted data-[state=inactive]:hover:text-ink",
							fill ? "px-2 text-xs" : "px-3 text-sm",
						)}
					>
						{title}
					</Radix.Trigger>
				))}
			</Radix.List>
			{tabs.map(({ id, content }) => (
				<Radix.Content
					key={id}
					value={id}
					// Tab goes on to what is in the panel, not to the panel itself.
					tabIndex={undefined}
					className={clsx("flex flex-col", fill ? "min-h-0 flex-1 data-[state=inactive]:hidden" : "gap-3")}
				>
					{content}
				</Radix.Content>
			))}
		</Radix.Root>
	);
}
