"use client";

import { useEffect } from "react";

/** Who wants which title, the newest last: a drawer's stands while it is open, then its page's again. */
let wishes: readonly { title: string }[] = [];
const listeners = new Set<() => void>();

function setWishes(next: typeof wishes): void {
	wishes = next;
	for (const listener of listeners) listener();
}

/** For the one place that writes the title. */
export const pageTitle = {
	subscribe(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	},
	/** Null: nobody wants one. */
	get: (): string | null => wishes.at(-1)?.title ?? null,
};

/**
 * Names the tab for as long as the caller is mounted.
 * @param title without the product's name; undefined while it is not known
 */
export function usePageTitle(title: string | undefined): void {
	useEffect(() => {
		if (title === undefined) return;
		const wish = { title };
		setWishes([...wishes, wish]);
		return () => setWishes(wishes.filter((one) => one !== wish));
	}, [title]);
}
