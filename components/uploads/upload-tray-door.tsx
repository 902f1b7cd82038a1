"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { uploads } from "#lib/client/upload.ts";

const UploadTray = lazy(() => import("./upload-tray.tsx").then((module) => ({ default: module.UploadTray })));
const NONE = [] as const;

/** The place of the uploads below every page. Costs nothing until there is one. */
export function UploadTrayDoor() {
	const list = useSyncExternalStore(uploads.subscribe, uploads.list, () => NONE);
	return list.length === 0 ? null : (
		<Suspense>
			<UploadTray list={list} />
		</Suspense>
	);
}
