import { clsx } from "clsx";
import type { CSSProperties, ReactNode } from "react";
import type { Recording } from "#lib/contract/recording.ts";

/**
 * The box of a video: as wide as its container, as tall as its aspect ratio requires, never taller than most of the page.
 * `fill`: as large as what is around it.
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
	const style: CSSProperties = { aspectRatio: `${width} / ${height}`, maxWidth: `calc(74dvh * ${width / height})` };
	return (
		<div
			style={fill ? undefined : style}
			className={clsx("relative mx-auto w-full overflow-hidden bg-black", fill && "h-full")}
		>
			{children}
		</div>
	);
}
