"use client";

import { useQuery } from "@tanstack/react-query";
import { HardDrive } from "lucide-react";
import { Link } from "#components/navigation/link.tsx";
import { formatBytes } from "#lib/client/format.ts";
import { storageQuery } from "#lib/client/storage.ts";
import type { Storage } from "#lib/contract/storage.ts";
import { shellTexts as texts } from "#lib/texts/shell.ts";

/** Says on every page that uploads wait for room, for as long as they do: the disk is full, or the quota used up. */
export function StorageBanner() {
	const storage = useQuery(storageQuery()).data;
	return (
		<div role="status">
			{storage?.state === "full" ? (
				<div className="flex items-start gap-2.5 border-b border-warn/30 bg-soft-warn px-4 py-2 text-sm md:px-6">
					<HardDrive aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
					<p className="min-w-0">
						<strong className="font-semibold">
							{storage.waitsFor === "quota" ? texts.quotaUsedUp : texts.diskFull}
						</strong>{" "}
						{texts.diskFullMeans} <span className="max-md:hidden">{figuresOf(storage)} </span>
						<Link href="/recordings" className="underline underline-offset-2">
							{texts.deleteRecordings}
						</Link>{" "}
						{texts.or}{" "}
						<Link href="/settings" className="underline underline-offset-2">
							{texts.shortenRetention}
						</Link>
						{texts.fullStop}
					</p>
				</div>
			) : null}
		</div>
	);
}

function figuresOf({ waitsFor, freeBytes, totalBytes, reserveBytes, usedBytes, quotaBytes }: Storage): string {
	return waitsFor === "quota"
		? texts.quotaFigures(formatBytes(usedBytes), formatBytes(quotaBytes ?? usedBytes))
		: texts.diskFullFigures(formatBytes(freeBytes), formatBytes(totalBytes), formatBytes(reserveBytes));
}
