import type { ReactNode } from "react";

/** The title of a page and its actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
	return (
		<div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2">
			<h1 className="text-xl font-semibold tracking-tight">{title}</h1>
			<div className="flex flex-wrap items-center gap-2">{children}</div>
		</div>
	);
}
