"use client";

import { useState } from "react";

/**
 * Follows a wish that changes faster than pictures come: one picture is asked for at a time, and the newest wish is
 * next. @returns what to show, and what to call when it came (or did not).
 */
export function useSteadyFrame(wanted: string | null): { src: string | null; settled(): void; loaded: boolean } {
	const [asked, setAsked] = useState<string | null>(null);
	const [came, setCame] = useState<string | null>(null);
	const busy = asked !== null && asked !== came;
	if (wanted === null && asked !== null) {
		setAsked(null);
		setCame(null);
	} else if (wanted !== null && wanted !== asked && !busy) setAsked(wanted);
	return { src: asked, loaded: came !== null, settled: () => setCame(asked) };
}
