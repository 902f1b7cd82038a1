"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { type RefObject, useLayoutEffect, useState } from "react";

/** `compact`: a phone. `normal`: the drawer. `wide`: everything fits. */
export type PlayerSize = "compact" | "normal" | "wide";

/** Whether the bug report and the clip stand in the menu: in the drawer, a live player has no line for them. */
export const isReportInMenu = (size: PlayerSize, { state }: Pick<Recording, "state">): boolean =>
	size === "compact" || (size === "normal" && state === "live");

const NORMAL_PX = 520;
const WIDE_PX = 860;

/** @param column the video with its controls: a panel next to them reduces the width of the controls. */
export function usePlayerSize(column: RefObject<HTMLElement | null>): PlayerSize {
	const [size, setSize] = useState<PlayerSize>("normal");
	useLayoutEffect(() => {
		const element = column.current;
		if (element === null) return;
		const update = (width: number) => setSize(width < NORMAL_PX ? "compact" : width < WIDE_PX ? "normal" : "wide");
		update(element.clientWidth);
		const observer = new ResizeObserver(([entry]) => entry && update(entry.contentRect.width));
		observer.observe(element);
		return () => observer.disconnect();
	}, [column]);
	return size;
}
