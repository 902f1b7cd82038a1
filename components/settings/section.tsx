import type { ReactNode } from "react";

/** A titled part of the settings. */
export function Section({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
	return (
		<section aria-label={title}>
			<h2 className="text-lg font-semibold">{title}</h2>
			{intro ? <p className="text-sm text-muted">{intro}</p> : null}
			<div className="mt-3">{children}</div>
		</section>
	);
}
