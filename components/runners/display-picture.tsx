"use client";

import { clsx } from "clsx";
import { MonitorOff } from "lucide-react";
import { useRef } from "react";
import { pictureTexts } from "#lib/texts/runners.ts";
import { useDisplayPicture, useIsSeen } from "./use-display-picture.ts";

interface Props {
	runnerId: number;
	/** `:99`. */
	displayId: string;
	/** Whether the runner is there; without it nothing is asked. */
	online?: boolean;
	className?: string;
}

/**
 * What a display shows now, refreshed every few seconds while it is on the screen. Displays of every shape get the same
 * box, so that several stand in a row.
 */
export function DisplayPicture({ runnerId, displayId, online = true, className }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const seen = useIsSeen(box);
	const { src, state } = useDisplayPicture(runnerId, displayId, seen && online);
	const shown = online && src !== null;
	return (
		<div
			ref={box}
			className={clsx("relative aspect-video w-full overflow-hidden rounded-md border border-line bg-inset", className)}
		>
			{shown ? (
				// biome-ignore lint/performance/noImgElement: a picture of this moment; nothing to optimise
				<img
					src={src}
					alt={pictureTexts.alt(displayId)}
					draggable={false}
					className="absolute inset-0 size-full object-contain"
				/>
			) : null}
			{!online || state === "none" ? (
				<p className="absolute inset-0 flex items-center justify-center gap-1.5 p-2 text-xs text-muted">
					<MonitorOff aria-hidden className="size-3.5 shrink-0" />
					{pictureTexts.none}
				</p>
			) : null}
		</div>
	);
}
