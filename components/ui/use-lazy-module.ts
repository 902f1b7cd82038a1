"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "./toast.ts";

/** A dashboard that was updated since the page was loaded may not have its parts any more. */
const MISSING = "Couldn't load this part of the page. Check your connection and try again, or reload the page.";
/** Modules that were loaded, for the next component that uses them. */
const fetched = new WeakMap<object, unknown>();

/**
 * A module that is loaded when it is about to be used. Unlike with `lazy`, nothing is rendered meanwhile, nothing breaks
 * when loading fails, and the next use tries again.
 * @param load a stable function
 * @returns the module (null until it is loaded), and a function that loads it: true once it is loaded
 */
export function useLazyModule<T>(
	load: () => Promise<T>,
): [module: T | null, fetch: (quietly?: boolean) => Promise<boolean>] {
	const [loaded, setLoaded] = useState<{ value: T } | null>(null);
	const loading = useRef<Promise<boolean> | null>(null);
	const fetch = useCallback(
		async (quietly = false) => {
			loading.current ??= load().then(
				(value) => {
					fetched.set(load, value);
					setLoaded({ value });
					return true;
				},
				() => {
					loading.current = null;
					return false;
				},
			);
			const here = await loading.current;
			if (!here && !quietly) toast.error(MISSING);
			return here;
		},
		[load],
	);
	return [loaded === null ? null : loaded.value, fetch];
}

/**
 * A module that is loaded without user action.
 * @param wanted loads once this is true, or not 0; when that fails, again whenever this changes
 */
export function useEagerLazyModule<T>(load: () => Promise<T>, wanted: boolean | number): T | null {
	const [module, fetch] = useLazyModule(load);
	useEffect(() => {
		if (wanted) void fetch();
	}, [wanted, fetch]);
	return module ?? (fetched.get(load) as T | undefined) ?? null;
}
