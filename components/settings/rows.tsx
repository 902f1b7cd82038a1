import type { ReactNode } from "react";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { settingsTexts } from "#lib/texts/settings.ts";

interface Props<T> {
	/** Accessible name of the list. */
	label: string;
	list: { data?: T[]; isPending: boolean; error: Error | null };
	/** What stands there when there is nothing. */
	none?: string;
	keyOf(item: T): number;
	children(item: T): ReactNode;
}

/** A framed list, one thing a row. */
export function Rows<T>({ label, list, none, keyOf, children }: Props<T>) {
	return (
		<div className="overflow-hidden rounded-lg border border-line bg-surface">
			{list.error ? <Notice tone="danger">{settingsTexts.notLoaded(wordsOf(list.error))}</Notice> : null}
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
