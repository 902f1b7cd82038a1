"use client";

import type { ComponentType } from "react";
import { Skeleton } from "./skeleton.tsx";
import { useEagerLazyModule } from "./use-lazy-module.ts";

/**
 * Content whose script is loaded when it is first shown, such as that of a tab.
 * @param props.load a stable function
 */
export function LazyContent<P extends object>({ load, ...props }: { load(): Promise<ComponentType<P>> } & P) {
	const Content = useEagerLazyModule(load, true);
	if (Content === null) return <Skeleton className="m-3 h-3 w-2/3" />;
	return <Content {...(props as unknown as P)} />;
}
