"use client";

import { useSyncExternalStore } from "react";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { onUploadsStarted, startedCount } from "./started-uploads.ts";

const loadTray = () => import("./upload-tray.tsx").then(({ UploadTray }) => UploadTray);

/** The place at which every page shows the uploads of this tab. */
export function UploadTrayPlace() {
	const count = useSyncExternalStore(onUploadsStarted, startedCount, () => 0);
	const Tray = useEagerLazyModule(loadTray, count);
	return Tray === null ? null : <Tray />;
}
