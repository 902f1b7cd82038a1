"use client";

import { type RefObject, useLayoutEffect, useState } from "react";

/** `compact`: a phone. `normal`: the drawer. `wide`: room for everything. */
export type PlayerSize = "compact" | "normal" | "wide";

const NORMAL_PX = 520;
const WIDE_PX = 860;

/** How much room a player has, wherever it stands. */
export function usePlayerSize(box: RefObject<HTMLElement | null>): PlayerSize {
	const [size, setSize] = useState<PlayerSize>("normal");
	useLayoutEffect(() => {
		const element = box.current;
		if (element === null) return;
		const judge = (width: number) => setSize(width < NORMAL_PX ? "compact" : width < WIDE_PX ? "normal" : "wide");
		judge(element.clientWidth);
		const observer = new ResizeObserver(([entry]) => entry && judge(entry.contentRect.width));
		observer.observe(element);
		return () => observer.disconnect();
	}, [box]);
	return size;
}
