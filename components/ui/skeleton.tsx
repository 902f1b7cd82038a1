import { clsx } from "clsx";

/** Holds the place of something that is being fetched. */
export const Skeleton = ({ className }: { className?: string }) => (
	<span aria-hidden className={clsx("motion-skeleton block rounded bg-line", className)} />
);
