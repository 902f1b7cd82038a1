import type { ReactNode } from "react";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { errorMessage } from "#lib/client/api.ts";

interface SectionProps {
	title: string;
	intro?: ReactNode;
	/** A button beside the title; on a phone below the intro. */
	action?: ReactNode;
	children: ReactNode;
}

/** A titled part of the settings. */
export function Section({ title, intro, action, children }: SectionProps) {
	return (
		<section aria-label={title}>
			<div className="flex flex-col items-start gap-x-4 gap-y-3 sm:flex-row sm:justify-between">
				<div className="min-w-0">
					<h2 className="text-lg font-semibold">{title}</h2>
					{intro ? <p className="text-sm text-muted">{intro}</p> : null}
				</div>
				{action}
			</div>
			<div className="mt-3">{children}</div>
		</section>
	);
}

interface RowsProps<T> {
	/** Accessible name of the list. */
	label: string;
	list: { data?: T[]; isPending: boolean; error: Error | null };
	/** Shown when the list is empty. */
	none?: string;
	keyOf(item: T): number;
	/** Draws one row: the text, then its buttons. */
	children(item: T): ReactNode;
}

/** A framed list with one item per row, its loading state and its error. */
export function Rows<T>({ label, list, none, keyOf, children }: RowsProps<T>) {
	return (
		<div className="overflow-hidden rounded-lg border border-line bg-surface">
			{list.error ? <Notice tone="danger">Couldn't load the list. {errorMessage(list.error)}</Notice> : null}
			{list.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
			{list.data?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">{none}</p> : null}
			<ul aria-label={label} className="divide-y divide-line">
				{list.data?.map((item) => (
					<li key={keyOf(item)} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 px-4 py-2.5">
						{children(item)}
					</li>
				))}
			</ul>
		</div>
	);
}
