"use client";

import * as Radix from "@radix-ui/react-tabs";
import { type ReactNode, useState } from "react";

interface Tab {
	id: string;
	title: string;
	content: ReactNode;
}

/** Tabs and their panels, the first one open. Arrows, Home and End open the other ones; Tab goes on into the panel. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
	const [dir] = useState<"rtl" | "ltr">(() => (document.documentElement.dir === "rtl" ? "rtl" : "ltr"));
	return (
		<Radix.Root defaultValue={tabs[0]?.id} dir={dir} className="flex flex-col gap-4">
			<Radix.List aria-label={label} className="flex gap-1 border-b border-line">
				{tabs.map(({ id, title }) => (
					<Radix.Trigger
						key={id}
						value={id}
						className="-mb-px h-9 rounded-t-md border-b-2 px-3 text-sm transition-colors duration-100 focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=inactive]:border-transparent data-[state=inactive]:text-muted data-[state=inactive]:hover:text-ink"
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
					className="flex flex-col gap-3"
				>
					{content}
				</Radix.Content>
			))}
		</Radix.Root>
	);
}
