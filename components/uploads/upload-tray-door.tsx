"use client";

import { useSyncExternalStore } from "react";
import { useWantedPart } from "#components/ui/use-part.ts";
import { uploadsBegun } from "#lib/client/uploads-begun.ts";

const loadTray = () => import("./upload-tray.tsx").then((module) => module.UploadTray);

/** The place of the uploads below every page. Costs nothing until there is one. */
export function UploadTrayDoor() {
	const begun = useSyncExternalStore(uploadsBegun.subscribe, uploadsBegun.get, () => 0);
	const UploadTray = useWantedPart(loadTray, begun);
	return UploadTray === null ? null : <UploadTray />;
}
