import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Shown where there are no items yet: the purpose of the place, and the next step. */
export function EmptyState({
	icon: Icon,
	title,
	level: Heading = "h2",
	children,
	actions,
}: {
	icon: LucideIcon;
	title: string;
	/** `h1` where nothing else on the page is one. */
	level?: "h1" | "h2";
	children: ReactNode;
	actions?: ReactNode;
}) {
	return (
		<div className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
			<div className="mb-4 grid size-10 place-items-center rounded-lg border border-line bg-surface">
				<Icon aria-hidden className="size-5 text-muted" />
			</div>
			<Heading className="text-lg font-semibold">{title}</Heading>
			<div className="mt-1 text-sm text-balance text-muted">{children}</div>
			{actions ? <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div> : null}
		</div>
	);
}
