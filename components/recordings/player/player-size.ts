"use client";

import { type RefObject, useLayoutEffect, useState } from "react";

/** `compact`: a phone. `normal`: the drawer. `wide`: everything fits. */
export type PlayerSize = "compact" | "normal" | "wide";

const NORMAL_PX = 520;
const WIDE_PX = 860;

/** How wide the box of the player is. */
export function usePlayerSize(box: RefObject<HTMLElement | null>): PlayerSize {
	const [size, setSize] = useState<PlayerSize>("normal");
	useLayoutEffect(() => {
		const element = box.current;
		if (element === null) return;
		const update = (width: number) => setSize(width < NORMAL_PX ? "compact" : width < WIDE_PX ? "normal" : "wide");
		update(element.clientWidth);
		const observer = new ResizeObserver(([entry]) => entry && update(entry.contentRect.width));
		observer.observe(element);
		return () => observer.disconnect();
	}, [box]);
	return size;
}
