"use client";

import { formatAge, formatExact } from "#lib/client/format.ts";
import { useNow } from "./use-now.ts";

/** How long ago, ticking; the exact time on hover. */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
	const now = useNow();
	return (
		<time dateTime={at} title={formatExact(at)} className={className} suppressHydrationWarning>
			{formatAge(Date.parse(at), now)}
		</time>
	);
}
