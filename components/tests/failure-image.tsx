import { failureFramePath } from "./tests.ts";

/** The screen at the failure of a result, as large as its box. @param onMissing called if there is no such image. */
export const FailureImage = ({ id, onMissing }: { id: number; onMissing(): void }) => (
	// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
	<img
		src={failureFramePath(id)}
		alt=""
		loading="lazy"
		decoding="async"
		onError={onMissing}
		className="size-full object-contain"
	/>
);
