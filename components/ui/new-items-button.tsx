import { ArrowUp } from "lucide-react";

/** Scrolls to the new items that its label counts. */
export const NewItemsButton = ({ label, onPress }: { label: string; onPress(): void }) => (
	<button
		type="button"
		onClick={onPress}
		className="motion-fade pointer-events-auto flex h-8 items-center gap-1.5 rounded-full bg-accent px-3 text-xs font-medium whitespace-nowrap text-on-accent tabular-nums shadow-float hover:bg-accent-hover pointer-coarse:h-11 pointer-coarse:px-4"
	>
		<ArrowUp aria-hidden className="size-3.5" />
		{label}
	</button>
);
