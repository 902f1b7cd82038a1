"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { uiTexts } from "#lib/texts/ui.ts";
import { toast } from "./toast.ts";

/** What was fetched stays: the next who shows it has it at once. */
const fetched = new WeakMap<object, unknown>();

/**
 * A part of the page that is fetched when it is about to be used. Unlike `lazy`, it draws nothing meanwhile, breaks
 * nothing when it cannot be fetched, and is asked for again the next time.
 * @param load a function that stays the same
 * @returns the part (null until it is here), and how to ask for it: true once it is here.
 */
export function usePart<T>(load: () => Promise<T>): [part: T | null, fetch: (quietly?: boolean) => Promise<boolean>] {
	const [part, setPart] = useState<{ value: T } | null>(null);
	const loading = useRef<Promise<boolean> | null>(null);
	const fetch = useCallback(
		async (quietly = false) => {
			loading.current ??= load().then(
				(value) => {
					fetched.set(load, value);
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

/**
 * A part that is shown without being asked for by hand.
 * @param wanted it is fetched once this is true, or not 0; when it could not be, again whenever this changes
 */
export function useWantedPart<T>(load: () => Promise<T>, wanted: boolean | number): T | null {
	const [part, fetch] = usePart(load);
	useEffect(() => {
		if (wanted) void fetch();
	}, [wanted, fetch]);
	return part ?? (fetched.get(load) as T | undefined) ?? null;
}
