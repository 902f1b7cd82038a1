"use client";

import { clsx } from "clsx";
import { ArrowUp } from "lucide-react";

interface Props {
	count: number;
	/** The button's text: the number of new items. */
	label: string;
	/** The text that is read out once there are new items. */
	hint: string;
	onPress(): void;
	className?: string;
}

/** Announces new items and shows them on a click. Lies over the top of the scrolling box. */
export const NewItemsChip = ({ count, label, hint, onPress, className }: Props) => (
	<div className={clsx("pointer-events-none sticky top-2 z-20 flex h-0 justify-center", className)}>
		<span role="status" className="sr-only">
			{count > 0 ? hint : ""}
		</span>
		{count > 0 ? (
			<button
				type="button"
				onClick={onPress}
				className="motion-fade pointer-events-auto flex h-8 items-center gap-1.5 rounded-full bg-accent px-3 text-xs font-medium whitespace-nowrap text-on-accent tabular-nums shadow-float hover:bg-accent-hover pointer-coarse:h-11 pointer-coarse:px-4"
			>
				<ArrowUp aria-hidden className="size-3.5" />
				{label}
			</button>
		) : null}
	</div>
);
