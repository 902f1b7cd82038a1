"use client";

import { useQuery } from "@tanstack/react-query";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { HardDrive } from "lucide-react";
import { Link } from "#components/navigation/link.tsx";
import { formatBytes } from "#lib/client/format.ts";
import { storageQuery } from "#lib/client/storage.ts";

/** Says on every page that uploads are paused, while they are. */
export function StorageBanner() {
	const storage = useQuery(storageQuery()).data;
	return <div role="status">{storage?.state === "full" ? <StorageFull storage={storage} /> : null}</div>;
}

/** Says that uploads are paused, because the disk is full or the storage quota is reached. */
const StorageFull = ({ storage }: { storage: Storage }) => (
	<div className="flex items-start gap-2.5 border-b border-warn/30 bg-soft-warn px-4 py-2 text-sm md:px-6">
		<HardDrive aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
		<p className="min-w-0">
			<strong className="font-semibold">
				{storage.waitsFor === "quota"
					? "Your organization is out of storage, so uploads are paused."
					: "The dashboard's disk is full, so uploads are paused."}
			</strong>{" "}
			Nothing is lost: runners keep their videos and upload them once there is space.{" "}
			<span className="max-md:hidden">{figuresOf(storage)} </span>
			<Link href="/recordings" className="underline underline-offset-2">
				Delete recordings
			</Link>{" "}
			or{" "}
			<Link href="/settings" className="underline underline-offset-2">
				shorten their retention
			</Link>
			.
		</p>
	</div>
);

function figuresOf({ waitsFor, freeBytes, totalBytes, reserveBytes, usedBytes, quotaBytes }: Storage): string {
	return waitsFor === "quota"
		? `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes ?? usedBytes)} used.`
		: `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free; ${formatBytes(reserveBytes)} reserved for the database.`;
}
