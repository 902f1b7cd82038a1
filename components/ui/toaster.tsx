"use client";

import { useEffect, useSyncExternalStore } from "react";
import { prepareToasts, toastsWanted } from "./toast.ts";
import { useLazyModule } from "./use-lazy-module.ts";
import { useUserIntent } from "./use-user-intent.ts";

const RETRY_MS = 2_000;

const loadList = () => import("./toast-list.tsx").then((module) => module.ToastList);

/**
 * Where toasts are shown. Costs nothing until the first user action or toast; loading is retried while the network is
 * away, because that may be what the toast is about.
 */
export function Toaster() {
	const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, () => false);
	const [ToastList, fetch] = useLazyModule(loadList);
	useUserIntent(prepareToasts);
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
