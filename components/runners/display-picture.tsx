"use client";

import { clsx } from "clsx";
import { MonitorOff } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { fetchDisplayPicture } from "#lib/client/runners.ts";

interface Props {
	runnerId: number;
	/** `:99`. */
	displayId: string;
	/** Whether the runner is online; without it nothing is requested. */
	online?: boolean;
	className?: string;
}

/**
 * The current picture of a display, refreshed every few seconds while visible. Displays of every shape get the same box, so
 * that several line up in a row.
 */
export function DisplayPicture({ runnerId, displayId, online = true, className }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const visible = useIsVisible(box);
	const { src, state } = useDisplayPicture(runnerId, displayId, visible && online);
	return (
		<div
			ref={box}
			className={clsx("relative aspect-video w-full overflow-hidden rounded-md border border-line bg-inset", className)}
		>
			{online && src !== null ? (
				// biome-ignore lint/performance/noImgElement: an object URL that is replaced every few seconds
				<img
					src={src}
					alt={`What ${displayId} shows now`}
					draggable={false}
					className="absolute inset-0 size-full object-contain"
				/>
			) : null}
			{!online || state === "none" ? (
				<p className="absolute inset-0 flex items-center justify-center gap-1.5 p-2 text-xs text-muted">
					<MonitorOff aria-hidden className="size-3.5 shrink-0" />
					No preview
				</p>
			) : null}
		</div>
	);
}

/** Whether the element is on the screen and its tab is in front. */
function useIsVisible(element: RefObject<Element | null>): boolean {
	const [inView, setInView] = useState(false);
	const [tabVisible, setTabVisible] = useState(true);
	useEffect(() => {
		if (element.current === null) return;
		const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element]);
	useEffect(() => {
		const update = () => setTabVisible(document.visibilityState === "visible");
		update();
		document.addEventListener("visibilitychange", update);
		return () => document.removeEventListener("visibilitychange", update);
	}, []);
	return inView && tabVisible;
}

const REFRESH_MS = 3_000;
const RETRY_MS = 8_000;

/**
 * Refreshes a display's picture while `visible`; the last one stays until the next has arrived.
 * @returns an object URL for an image; `none` once it is known that there is no picture.
 */
function useDisplayPicture(
	runnerId: number,
	displayId: string,
	visible: boolean,
): { src: string | null; state: "loading" | "shown" | "none" } {
	const [picture, setPicture] = useState<ReturnType<typeof useDisplayPicture>>({ src: null, state: "loading" });
	useEffect(() => {
		if (!visible) return;
		const stop = new AbortController();
		let timer: ReturnType<typeof setTimeout>;
		const refresh = async () => {
			const jpeg = await fetchDisplayPicture(runnerId, displayId, stop.signal);
			if (stop.signal.aborted) return;
			setPicture(jpeg === null ? { src: null, state: "none" } : { src: URL.createObjectURL(jpeg), state: "shown" });
			timer = setTimeout(refresh, jpeg === null ? RETRY_MS : REFRESH_MS);
		};
		void refresh();
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [runnerId, displayId, visible]);
	const { src } = picture;
	useEffect(() => () => void (src === null || URL.revokeObjectURL(src)), [src]);
	return picture;
}
