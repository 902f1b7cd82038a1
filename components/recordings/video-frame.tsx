import { clsx } from "clsx";
import type { CSSProperties, ReactNode, Ref } from "react";
import type { Recording } from "#lib/contract/recording.ts";

/** The box of a picture: as wide as there is room, as tall as its shape asks, never taller than most of the page. */
export function VideoFrame({
	recording,
	ref,
	className,
	children,
}: {
	recording: Pick<Recording, "width" | "height">;
	ref?: Ref<HTMLDivElement>;
	className?: string;
	children: ReactNode;
}) {
	const width = recording.width ?? 16;
	const height = recording.height ?? 9;
	const style: CSSProperties = { aspectRatio: `${width} / ${height}`, maxWidth: `calc(74dvh * ${width / height})` };
	return (
		<div ref={ref} style={style} className={clsx("relative mx-auto w-full overflow-hidden bg-black", className)}>
			{children}
		</div>
	);
}
