"use client";

import { clsx } from "clsx";
import { useEagerLazyModule } from "./use-lazy-module.ts";

// There are none when a page begins.
const loadButton = () => import("./new-items-button.tsx").then((module) => module.NewItemsButton);

interface Props {
	count: number;
	/** What the button says: how many there are. */
	label: string;
	/** What is read out once there are some. */
	hint: string;
	onPress(): void;
	className?: string;
}

/** Says that new items are above the screen, and scrolls to them. Lies over the top of the box that scrolls. */
export function NewItemsChip({ count, label, hint, onPress, className }: Props) {
	const NewItemsButton = useEagerLazyModule(loadButton, count > 0);
	return (
		<div className={clsx("pointer-events-none sticky top-2 z-20 flex h-0 justify-center", className)}>
			<span role="status" className="sr-only">
				{count > 0 ? hint : ""}
			</span>
			{count > 0 && NewItemsButton !== null ? <NewItemsButton label={label} onPress={onPress} /> : null}
		</div>
	);
}
