"use client";

import { useQuery } from "@tanstack/react-query";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { useState } from "react";
import { framePath, frameTime, storyboardQuery } from "#components/recordings/storyboard.ts";
import { endOf } from "./moments.ts";
import { failureFramePath } from "./tests.ts";

/** The frame at which a test failed or ended; nothing if no frame is left. */
export function ResultFrame({ result, className }: { result: TestResult; className?: string }) {
	const { id, hasFrame, recordingId, test } = result;
	const { data: times } = useQuery({
		...storyboardQuery({ id: recordingId ?? 0, state: "ready" }),
		enabled: !hasFrame && recordingId !== null,
	});
	const [isBroken, setBroken] = useState(false);
	const at = times === undefined ? null : frameTime(times, result.failureOffsetSeconds ?? endOf(result) ?? 0);
	const src = hasFrame ? failureFramePath(id) : recordingId !== null && at !== null ? framePath(recordingId, at) : null;
	if (isBroken || (src === null && recordingId === null)) return null;
	return (
		<div className={clsx("aspect-video overflow-hidden rounded-md border border-line bg-black", className)}>
			{src === null ? null : (
				// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
				<img
					src={src}
					alt={`The screen at the end of ${test}`}
					loading="lazy"
					decoding="async"
					onError={() => setBroken(true)}
					className="size-full object-contain"
				/>
			)}
		</div>
	);
}
