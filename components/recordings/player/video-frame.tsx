import type { Recording } from "@tapedeck/contract/recording.ts";
import { clsx } from "clsx";
import type { CSSProperties, ReactNode } from "react";

/**
 * The maximum height of a video, so that its controls fit into the window below it. In a low window, at least 55 % of
 * the height. Pages with more content above the video set `--max-video-height`.
 */
export const MAX_VIDEO_HEIGHT = "var(--max-video-height, max(55dvh, 100dvh - 21rem))";
/** The maximum height at which a message, the video and its controls fit into the window together. */
export const BELOW_A_RESULT = { "--max-video-height": "max(45dvh, 100dvh - 24.5rem)" } as CSSProperties;

/**
 * The box of a video: as wide as its container, as tall as its aspect ratio requires, up to `MAX_VIDEO_HEIGHT`. `fill`:
 * as large as its container.
 */
export function VideoFrame({
	recording,
	fill = false,
	children,
}: {
	recording: Pick<Recording, "width" | "height">;
	fill?: boolean;
	children: ReactNode;
}) {
	const width = recording.width ?? 16;
	const height = recording.height ?? 9;
	const style: CSSProperties = {
		aspectRatio: `${width} / ${height}`,
		maxWidth: `calc(${MAX_VIDEO_HEIGHT} * ${width / height})`,
	};
	return (
		<div
			style={fill ? undefined : style}
			className={clsx("relative mx-auto w-full overflow-hidden bg-black", fill && "h-full")}
		>
			{children}
		</div>
	);
}
