"use client";

import { type RefObject, useEffect, useState } from "react";
import { fetchDisplayPicture } from "#lib/client/runners.ts";

const EVERY_MS = 3_000;
/** A display that cannot be seen is asked for less often. */
const AFTER_FAILURE_MS = 8_000;

/** Whether the element is on the screen of somebody who looks at this tab. */
export function useIsSeen(element: RefObject<Element | null>): boolean {
	const [inView, setInView] = useState(false);
	const [tabShown, setTabShown] = useState(true);
	useEffect(() => {
		if (element.current === null) return;
		const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element]);
	useEffect(() => {
		const look = () => setTabShown(document.visibilityState === "visible");
		look();
		document.addEventListener("visibilitychange", look);
		return () => document.removeEventListener("visibilitychange", look);
	}, []);
	return inView && tabShown;
}

export type PictureState = { src: string | null; state: "loading" | "shown" | "none" };

/**
 * What a display shows, anew every few seconds while `seen`; the last picture stays while the next one comes.
 * @returns an object URL for an image; `none` once it is known that there is no picture.
 */
export function useDisplayPicture(runnerId: number, displayId: string, seen: boolean): PictureState {
	const [picture, setPicture] = useState<PictureState>({ src: null, state: "loading" });
	useEffect(() => {
		if (!seen) return;
		const over = new AbortController();
		let timer: ReturnType<typeof setTimeout>;
		const refresh = async () => {
			const jpeg = await fetchDisplayPicture(runnerId, displayId, over.signal);
			if (over.signal.aborted) return;
			setPicture(jpeg === null ? { src: null, state: "none" } : { src: URL.createObjectURL(jpeg), state: "shown" });
			timer = setTimeout(refresh, jpeg === null ? AFTER_FAILURE_MS : EVERY_MS);
		};
		void refresh();
		return () => {
			over.abort();
			clearTimeout(timer);
		};
	}, [runnerId, displayId, seen]);
	const { src } = picture;
	useEffect(() => () => void (src === null || URL.revokeObjectURL(src)), [src]);
	return picture;
}
