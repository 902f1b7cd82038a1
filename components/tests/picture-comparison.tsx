"use client";

import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { useState } from "react";
import type { Comparison } from "./attachment-groups.ts";
import { attachmentPath } from "./tests.ts";

/** The expected picture on the left of a movable line and the actual one on the right, or their difference. */
export function PictureComparison({ comparison: { name, expected, actual, diff } }: { comparison: Comparison }) {
	const [percent, setPercent] = useState(50);
	const [isDiff, setDiff] = useState(false);
	return (
		<figure aria-label={`Comparison of ${name}`} className="flex w-fit max-w-full min-w-0 flex-col gap-2">
			<figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
				<span className="min-w-0 font-medium wrap-anywhere">{name}</span>
				{diff === null ? null : (
					<label className="flex min-h-6 items-center gap-2">
						<input type="checkbox" checked={isDiff} onChange={({ target }) => setDiff(target.checked)} />
						Difference
					</label>
				)}
			</figcaption>
			{isDiff && diff !== null ? (
				<Picture attachment={diff} alt={`Difference between the expected and the actual ${name}`} />
			) : (
				<>
					{/* In one cell, which is as large as the larger picture. */}
					<div className="relative grid *:[grid-area:1/1]">
						<div style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}>
							<Picture attachment={expected} alt={`Expected ${name}`} />
						</div>
						<div style={{ clipPath: `inset(0 0 0 ${percent}%)` }}>
							{/* Not lazily: before it is loaded it has no size, so all of it is clipped and browsers would not load it. */}
							<Picture attachment={actual} alt={`Actual ${name}`} loading="eager" />
						</div>
						<div
							aria-hidden
							className="pointer-events-none absolute inset-y-0 -ms-px w-0.5 bg-accent"
							style={{ insetInlineStart: `${percent}%` }}
						/>
					</div>
					<div>
						<input
							type="range"
							min={0}
							max={100}
							value={percent}
							aria-label={`Share of the expected picture of ${name}, in percent`}
							onChange={({ target }) => setPercent(Number(target.value))}
							className="min-h-6 w-full accent-accent"
						/>
						<p aria-hidden className="flex justify-between text-xs text-muted">
							<span>Expected</span>
							<span>Actual</span>
						</p>
					</div>
				</>
			)}
		</figure>
	);
}

/** In its own size, or as wide as there is space. */
export const Picture = ({
	attachment,
	alt,
	loading = "lazy",
}: {
	attachment: Attachment;
	alt: string;
	loading?: "lazy" | "eager";
}) => (
	// biome-ignore lint/performance/noImgElement: a file of a test, in its own size
	<img
		src={attachmentPath(attachment)}
		width={attachment.width ?? undefined}
		height={attachment.height ?? undefined}
		alt={alt}
		loading={loading}
		decoding="async"
		className="block h-auto max-w-full rounded-md border border-line"
	/>
);
