import { clsx } from "clsx";
import type { ReactNode } from "react";

interface Props {
	pressed?: boolean;
	/** Instead of `pressed`, for a button that shows more chips. */
	expanded?: boolean;
	onClick(): void;
	children: ReactNode;
}

/** A filter that is on or off. */
export function FilterChip({ pressed, expanded, onClick, children }: Props) {
	return (
		<button
			type="button"
			aria-pressed={pressed}
			aria-expanded={expanded}
			onClick={onClick}
			className={clsx(
				"flex h-7 w-fit items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium whitespace-nowrap transition-colors duration-100 [&>svg]:size-3.5",
				pressed ? "border-accent bg-accent-soft text-ink" : "border-line bg-surface text-muted hover:text-ink",
			)}
		>
			{children}
		</button>
	);
}
