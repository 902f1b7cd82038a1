import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface Props {
	label: string;
	/** The number of selected items: `3 selected`. */
	count: string;
	clear: string;
	/** The tooltip of `clear`, such as with its key. */
	clearHint?: string;
	onClear(): void;
	/** The actions. */
	children: ReactNode;
}

/** Over the bottom of a list, while something in it is selected. On a phone the actions have a row of their own. */
export const SelectionBar = ({ label, count, clear, clearHint = clear, onClear, children }: Props) => (
	<div className="pointer-events-none absolute inset-x-0 bottom-4 z-20 flex justify-center px-4">
		<section
			aria-label={label}
			className="motion-fade pointer-events-auto flex w-full flex-wrap items-center gap-1 sm:w-auto sm:max-w-full sm:justify-center rounded-xl border border-line bg-surface p-1.5 shadow-float"
		>
			<p role="status" className="px-2.5 text-sm font-medium max-sm:flex-1 whitespace-nowrap tabular-nums">
				{count}
			</p>
			<div className="flex gap-1 max-sm:order-last max-sm:basis-full max-sm:*:flex-1">{children}</div>
			<Button
				variant="ghost"
				size="icon"
				className="pointer-coarse:size-11"
				aria-label={clear}
				title={clearHint}
				onClick={onClear}
			>
				<X aria-hidden className="size-4" />
			</Button>
		</section>
	</div>
);
