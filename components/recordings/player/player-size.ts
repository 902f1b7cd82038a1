"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { type RefObject, useLayoutEffect, useState } from "react";

/** `compact`: a phone. `narrow`: beside a panel in a window of 1280 px. `normal`: the drawer. `wide`: everything fits. */
export type PlayerSize = "compact" | "narrow" | "normal" | "wide";

/** Whether the bug report and the clip stand in the menu: in the drawer, a live player has no line for them. */
export const isReportInMenu = (size: PlayerSize, { state }: Pick<Recording, "state">): boolean =>
	size === "compact" || (size !== "wide" && state === "live");
/** Whether the frame and the link stand in the menu. */
export const isCopyInMenu = (size: PlayerSize): boolean => size === "compact" || size === "narrow";

const NARROW_PX = 520;
/** The width of all buttons of `normal` in one line, with sound and a clock of hours. */
const NORMAL_PX = 700;
const WIDE_PX = 860;

const sizeOf = (width: number): PlayerSize =>
	width < NARROW_PX ? "compact" : width < NORMAL_PX ? "narrow" : width < WIDE_PX ? "normal" : "wide";

/** @param column the video with its controls: a panel next to them reduces the width of the controls. */
export function usePlayerSize(column: RefObject<HTMLElement | null>): PlayerSize {
	const [size, setSize] = useState<PlayerSize>("normal");
	useLayoutEffect(() => {
		const element = column.current;
		if (element === null) return;
		const update = (width: number) => setSize(sizeOf(width));
		update(element.clientWidth);
		const observer = new ResizeObserver(([entry]) => entry && update(entry.contentRect.width));
		observer.observe(element);
		return () => observer.disconnect();
	}, [column]);
	return size;
}
