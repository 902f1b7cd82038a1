import { clsx } from "clsx";
import type { ReactNode } from "react";

interface Props {
	chosen: boolean;
	className?: string;
	onChoose(): void;
	children: ReactNode;
}

/** One of a few choices that fill a field. */
export const ChoiceChip = ({ chosen, className, onChoose, children }: Props) => (
	<button
		type="button"
		aria-pressed={chosen}
		onClick={onChoose}
		className={clsx(
			"rounded-md border text-xs whitespace-nowrap tabular-nums transition-colors duration-100",
			chosen ? "border-accent bg-accent-soft text-ink" : "border-line bg-surface text-muted hover:text-ink",
			className,
		)}
	>
		{children}
	</button>
);
