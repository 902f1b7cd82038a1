"use client";

import { useQuery } from "@tanstack/react-query";
import { type PointerEvent, type RefObject, useState } from "react";
import { formatDuration } from "#lib/client/format.ts";
import { framePath, pictureTime, storyboardQuery } from "#lib/client/storyboard.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { useSteadyFrame } from "./use-steady-frame.ts";

/** Where along its picture a pointer is, 0 to 1; null when it is elsewhere. A finger scrolls and does not hover. */
export function useHoverPart(box: RefObject<HTMLElement | null>) {
	const [part, setPart] = useState<number | null>(null);
	const follow = (event: PointerEvent) => {
		const rect = box.current?.getBoundingClientRect();
		if (event.pointerType === "touch" || rect === undefined || rect.width === 0) return;
		const inside = event.clientY >= rect.top && event.clientY < rect.bottom;
		setPart(inside ? Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width)) : null);
	};
	return {
		part,
		handlers: { onPointerEnter: follow, onPointerMove: follow, onPointerLeave: () => setPart(null) },
	};
}

/** The recording's picture at that part of it, over its poster, with a line that says how far that is. */
export function CardScrub({ recording, part }: { recording: Recording; part: number | null }) {
	const { data: times } = useQuery({ ...storyboardQuery(recording), enabled: part !== null });
	const length = recording.state === "live" ? (times?.at(-1) ?? 0) : recording.durationSeconds;
	const at = part === null || times === undefined ? null : pictureTime(times, part * length);
	const { src, loaded, settled } = useSteadyFrame(at === null ? null : framePath(recording.id, at));
	if (part === null || src === null) return null;
	return (
		<>
			{/* biome-ignore lint/performance/noImgElement: a small picture of our own; nothing to optimise */}
			<img
				src={src}
				alt=""
				data-scrub
				decoding="async"
				onLoad={() => settled(true)}
				onError={() => settled(false)}
				className={loaded ? "absolute inset-0 size-full bg-black object-cover" : "absolute size-0"}
			/>
			{loaded ? (
				<span aria-hidden>
					<span className="absolute inset-x-0 bottom-0 h-1 bg-black/50">
						<span className="block h-full bg-white" style={{ width: `${100 * part}%` }} />
					</span>
					<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
						{formatDuration(part * length)} / {formatDuration(Math.round(length))}
					</span>
				</span>
			) : null}
		</>
	);
}
