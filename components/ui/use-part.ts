"use client";

import { useCallback, useRef, useState } from "react";
import { uiTexts } from "#lib/texts/ui.ts";
import { toast } from "./toast.ts";

/**
 * A part of the page that is fetched when it is about to be used. Unlike `lazy`, it draws nothing meanwhile, breaks
 * nothing when it cannot be fetched, and is asked for again the next time.
 * @returns the part (null until it is here), and how to ask for it: true once it is here.
 */
export function usePart<T>(load: () => Promise<T>): [part: T | null, fetch: (quietly?: boolean) => Promise<boolean>] {
	const [part, setPart] = useState<{ value: T } | null>(null);
	const loading = useRef<Promise<boolean> | null>(null);
	const fetch = useCallback(
		async (quietly = false) => {
			loading.current ??= load().then(
				(value) => {
					setPart({ value });
					return true;
				},
				() => {
					loading.current = null;
					return false;
				},
			);
			const here = await loading.current;
			if (!here && !quietly) toast.error(uiTexts.partMissing);
			return here;
		},
		[load],
	);
	return [part === null ? null : part.value, fetch];
}
