"use client";

import { useMemo } from "react";
import { formatAge, formatExact } from "#lib/client/format.ts";
import { useNowAs } from "./use-now.ts";

/** How long ago, ticking; the exact time on hover. */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
	const age = useNowAs((now) => formatAge(Date.parse(at), now));
	// Costs more than all the rest, and a list of these ticks each second.
	const exact = useMemo(() => formatExact(at), [at]);
	return (
		<time dateTime={at} title={exact} className={className} suppressHydrationWarning>
			{age}
		</time>
	);
}
