"use client";

import { useNowAs } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";

/** `Deleted in 40 min`: the largest unit says enough. */
export function DeletedIn({ at }: { at: string }) {
	const text = useNowAs((now) => {
		const seconds = (Date.parse(at) - now) / 1000;
		return seconds <= 0 ? "Deleted soon" : `Deleted in ${formatSpan(seconds).split(" ", 2).join(" ")}`;
	});
	return (
		<span title="The test passed, and this recording is kept only if it fails." suppressHydrationWarning>
			{text}
		</span>
	);
}
