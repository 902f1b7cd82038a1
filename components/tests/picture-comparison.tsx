"use client";

import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { useId, useState } from "react";
import type { Comparison } from "./attachment-groups.ts";
import { attachmentPath } from "./tests.ts";

/** The expected and the actual picture on top of each other, with a slider between them, and the difference. */
export function PictureComparison({ comparison: { name, expected, actual, diff } }: { comparison: Comparison }) {
	const [percent, setPercent] = useState(50);
	const [isDiff, setDiff] = useState(false);
	const id = useId();
	return (
		<figure aria-label={`Comparison of ${name}`} className="flex min-w-0 flex-col gap-2">
			{isDiff && diff !== null ? (
				<Picture attachment={diff} alt={`What differs between the expected and the actual ${name}`} />
			) : (
				<div className="relative overflow-hidden rounded-md border border-line bg-inset">
					<Picture attachment={expected} alt={`Expected ${name}`} />
					<div className="absolute inset-0" style={{ clipPath: `inset(0 0 0 ${percent}%)` }}>
						<Picture attachment={actual} alt={`Actual ${name}`} />
					</div>
				</div>
			)}
			<figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
				<span className="min-w-0 font-medium break-all">{name}</span>
				<label htmlFor={id} className="flex min-w-48 flex-1 items-center gap-2 text-xs text-muted">
					Actual
					<input
						id={id}
						type="range"
						min={0}
						max={100}
						value={percent}
						disabled={isDiff}
						aria-label={`Share of the expected picture of ${name}, in percent`}
						onChange={({ target }) => setPercent(Number(target.value))}
						className="min-h-6 flex-1 accent-accent"
					/>
					Expected
				</label>
				{diff === null ? null : (
					<label className="flex min-h-6 items-center gap-2 text-xs">
						<input type="checkbox" checked={isDiff} onChange={({ target }) => setDiff(target.checked)} />
						Difference
					</label>
				)}
			</figcaption>
		</figure>
	);
}

export const Picture = ({ attachment, alt }: { attachment: Attachment; alt: string }) => (
	// biome-ignore lint/performance/noImgElement: a file of a test, in its own size
	<img
		src={attachmentPath(attachment.id)}
		alt={alt}
		loading="lazy"
		decoding="async"
		className="h-auto w-full rounded-md object-contain"
	/>
);
