"use client";

import { useState } from "react";

interface SteadyFrame {
	/** What to ask for. */
	src: string | null;
	/** Whether it, or the one before it, is there to be shown: one that did not come would be a black box. */
	loaded: boolean;
	/** To be called when it came, or did not. */
	settled(came: boolean): void;
}

/**
 * Follows a wish that changes faster than pictures come: one picture is asked for at a time, and the newest wish is
 * next.
 */
export function useSteadyFrame(wanted: string | null): SteadyFrame {
	const [asked, setAsked] = useState<string | null>(null);
	const [answered, setAnswered] = useState<string | null>(null);
	const [loaded, setLoaded] = useState(false);
	const busy = asked !== null && asked !== answered;
	if (wanted === null && asked !== null) {
		setAsked(null);
		setAnswered(null);
		setLoaded(false);
	} else if (wanted !== null && wanted !== asked && !busy) setAsked(wanted);
	return {
		src: asked,
		loaded,
		settled(came) {
			setAnswered(asked);
			setLoaded(came);
		},
	};
}
