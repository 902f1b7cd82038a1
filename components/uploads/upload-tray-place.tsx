"use client";

import { useSyncExternalStore } from "react";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";

/** How many times uploads have been started in this tab. */
let started = 0;
const listeners = new Set<() => void>();

/** Shows the tray. */
export function uploadsStarted(): void {
	started += 1;
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

const loadTray = () => import("./upload-tray.tsx").then(({ UploadTray }) => UploadTray);

/** Where every page shows the uploads of this tab. Most tabs have none, so their script is loaded with the first one. */
export function UploadTrayPlace() {
	const count = useSyncExternalStore(
		subscribe,
		() => started,
		() => 0,
	);
	const Tray = useEagerLazyModule(loadTray, count);
	return Tray === null ? null : <Tray />;
}
