"use client";

import { useSyncExternalStore } from "react";
import { formatExact } from "#lib/client/format.ts";

const never = () => () => undefined;

/** A time in the user's own zone and language. What the server renders is in UTC: it knows neither. */
export function ExactTime({ at }: { at: string }) {
	const text = useSyncExternalStore(
		never,
		() => formatExact(at),
		() => `${at.slice(0, 16).replace("T", " ")} UTC`,
	);
	return <time dateTime={at}>{text}</time>;
}
