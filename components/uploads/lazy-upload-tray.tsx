"use client";

import { useSyncExternalStore } from "react";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { uploadsStarted } from "#lib/client/uploads-started.ts";

const loadTray = () => import("./upload-tray.tsx").then((module) => module.UploadTray);

/** The upload tray below every page; it loads with the first upload. */
export function LazyUploadTray() {
	const started = useSyncExternalStore(uploadsStarted.subscribe, uploadsStarted.get, () => 0);
	const UploadTray = useEagerLazyModule(loadTray, started);
	return UploadTray === null ? null : <UploadTray />;
}
