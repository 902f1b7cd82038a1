"use client";

import { formatAge, formatExact } from "#lib/client/format.ts";
import { useNowAs } from "./use-now.ts";

/** How long ago, ticking; the exact time on hover. */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
	const age = useNowAs((now) => formatAge(Date.parse(at), now));
	return (
		<time dateTime={at} title={formatExact(at)} className={className} suppressHydrationWarning>
			{age}
		</time>
	);
}
