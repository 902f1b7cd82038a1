import { clsx } from "clsx";

/** A placeholder for something that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
	<span aria-hidden className={clsx("motion-skeleton block rounded bg-line", className)} />
);
