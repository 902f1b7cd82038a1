"use client";

import { formatAge, formatExact } from "#lib/client/format.ts";
import { useClientValue } from "./use-client-value.ts";
import { useNowAs } from "./use-now.ts";

interface TimeAgoProps {
	at: string;
	/** The instant is not known exactly. */
	isAbout?: boolean;
	className?: string;
}

/** The time since an instant, updated as time passes; the exact time on hover. */
export function TimeAgo({ at, isAbout = false, className }: TimeAgoProps) {
	const age = useNowAs((now) => formatAge(Date.parse(at), now));
	return (
		<time
			dateTime={at}
			title={isAbout ? `about ${formatExact(at)}` : formatExact(at)}
			className={className}
			suppressHydrationWarning
		>
			{isAbout && age !== "just now" ? `about ${age}` : age}
		</time>
	);
}

/** A time in the user's own zone and language. The server knows neither and renders UTC. */
export function ExactTime({ at }: { at: string }) {
	const text = useClientValue(() => formatExact(at), `${at.slice(0, 16).replace("T", " ")} UTC`);
	return <time dateTime={at}>{text}</time>;
}
