"use client";

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { shellTexts } from "#lib/texts/shell.ts";
import { useLiveState } from "./live-updates.tsx";

/** Short breaks are nobody's business. */
const PATIENCE_MS = 3_000;

/** Says that the page stands still, for as long as it does. */
export function ConnectionBar() {
	const state = useLiveState();
	const [told, setTold] = useState(false);
	useEffect(() => {
		if (state !== "lost") {
			setTold(false);
			return;
		}
		const timer = setTimeout(() => setTold(true), PATIENCE_MS);
		return () => clearTimeout(timer);
	}, [state]);
	return (
		<div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-30 flex justify-center">
			{told ? (
				<span className="motion-fade flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1.5 text-xs shadow-float">
					<WifiOff aria-hidden className="size-3.5 text-warn" />
					{shellTexts.notConnected}
				</span>
			) : null}
		</div>
	);
}
