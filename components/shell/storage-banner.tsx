"use client";

import { useQuery } from "@tanstack/react-query";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { storageQuery } from "#lib/client/storage.ts";

const loadStorageFull = () => import("./storage-full.tsx").then((module) => module.StorageFull);

/** Says on every page that uploads are paused, while they are. */
export function StorageBanner() {
	const storage = useQuery(storageQuery()).data;
	const isFull = storage?.state === "full";
	const StorageFull = useEagerLazyModule(loadStorageFull, isFull);
	return <div role="status">{isFull && StorageFull !== null ? <StorageFull storage={storage} /> : null}</div>;
}
