"use client";

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";

/** A stretch that plays again and again; without an end until one is set. */
export interface Loop {
	start: number;
	end: number | null;
}

export interface LoopControls {
	loop: Loop | null;
	/** Begins the stretch where the video is. */
	loopFrom(): void;
	/** Ends it where the video is. */
	loopTo(): void;
	clearLoop(): void;
}

/** Shorter stretches are none. */
const LEAST_SECONDS = 0.05;

/** @param seek how to get back to the stretch's beginning. */
export function useLoop(video: RefObject<HTMLVideoElement | null>, seek: (seconds: number) => void): LoopControls {
	const [loop, setLoop] = useState<Loop | null>(null);
	const goBack = useRef(seek);
	goBack.current = seek;

	useEffect(() => {
		const element = video.current;
		if (element === null || loop === null || loop.end === null) return;
		const { start, end } = loop;
		let request = 0;
		const watch = () => {
			request = requestAnimationFrame(watch);
			if (!element.seeking && !element.paused && element.currentTime >= end) goBack.current(start);
		};
		// At the very end of the video it stops by itself.
		const again = () => {
			goBack.current(start);
			void element.play().catch(() => undefined);
		};
		element.addEventListener("ended", again);
		request = requestAnimationFrame(watch);
		return () => {
			cancelAnimationFrame(request);
			element.removeEventListener("ended", again);
		};
	}, [video, loop]);

	const clearLoop = useCallback(() => setLoop(null), []);
	return useMemo(() => {
		const here = () => video.current?.currentTime ?? 0;
		return {
			loop,
			loopFrom: () => {
				const start = here();
				setLoop((before) => between(start, before?.end ?? null));
			},
			loopTo: () => {
				const end = here();
				setLoop((before) => between(before?.start ?? 0, end));
			},
			clearLoop,
		};
	}, [video, loop, clearLoop]);
}

/** An end that lies before the beginning is not one any more. */
function between(start: number, end: number | null): Loop {
	if (end === null) return { start, end };
	return end - start >= LEAST_SECONDS ? { start, end } : { start: Math.min(start, end), end: null };
}
