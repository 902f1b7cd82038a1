"use client";

import { useEffect, useSyncExternalStore } from "react";
import { prepareToasts, toastsWanted } from "./toast.ts";
import { useFirstSign } from "./use-user-intent.ts";
import { usePart } from "./use-part.ts";

const RETRY_MS = 2_000;

const loadList = () => import("./toast-list.tsx").then((module) => module.ToastList);

/**
 * The place of the toasts. Costs nothing until the reader gives a sign, or something wants to be said; while the
 * network is away it is asked for again and again, as what is to be said may be just that.
 */
export function Toaster() {
	const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, () => false);
	const [ToastList, fetch] = usePart(loadList);
	useFirstSign(prepareToasts);
	useEffect(() => {
		if (!wanted) return;
		let timer: ReturnType<typeof setTimeout> | undefined;
		let left = false;
		const ask = async () => {
			const here = await fetch(true);
			if (!here && !left) timer = setTimeout(ask, RETRY_MS);
		};
		void ask();
		return () => {
			left = true;
			clearTimeout(timer);
		};
	}, [wanted, fetch]);
	return ToastList === null ? null : <ToastList />;
}
