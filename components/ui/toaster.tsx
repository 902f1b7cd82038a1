"use client";

import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { prepareToasts, toastsWanted } from "./toast.ts";

const ToastList = lazy(() => import("./toast-list.tsx").then((module) => ({ default: module.ToastList })));

/** The place of the toasts. Costs nothing until the reader presses something, or something wants to be said. */
export function Toaster() {
	const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, () => false);
	useEffect(() => {
		const once = { once: true, passive: true, capture: true } as const;
		document.addEventListener("pointerdown", prepareToasts, once);
		document.addEventListener("keydown", prepareToasts, once);
		return () => {
			document.removeEventListener("pointerdown", prepareToasts, once);
			document.removeEventListener("keydown", prepareToasts, once);
		};
	}, []);
	return wanted ? (
		<Suspense>
			<ToastList />
		</Suspense>
	) : null;
}
