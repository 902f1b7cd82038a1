"use client";

import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { useState } from "react";
import { failurePath } from "#components/failures/failure-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { FailureImage } from "#components/tests/failure-image.tsx";

/** As many frames as fit without scrolling far. */
const MOST_FRAMES = 24;

/** The moments at which tests failed, side by side. */
export const FrameWall = ({ results }: { results: readonly TestResult[] }) =>
	results.length === 0 ? null : (
		<ul
			aria-label="Frames of failures"
			className="grid grid-cols-[repeat(auto-fill,minmax(min(45%,200px),1fr))] gap-x-4 gap-y-4"
		>
			{results.slice(0, MOST_FRAMES).map((result) => (
				<FrameCard key={result.id} result={result} />
			))}
		</ul>
	);

function FrameCard({ result }: { result: TestResult }) {
	const [isMissing, setMissing] = useState(false);
	return (
		<li className="relative rounded-lg outline-offset-4 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent">
			<div className="aspect-video overflow-hidden rounded-lg border border-line bg-inset">
				{isMissing ? null : <FailureImage id={result.id} onMissing={() => setMissing(true)} />}
			</div>
			<Link
				href={failurePath(result)}
				title={result.test}
				onClick={() => result.recordingId !== null && requestPlay(result.recordingId)}
				className="mt-1.5 block truncate text-xs font-medium outline-none after:absolute after:inset-0"
			>
				{result.test}
			</Link>
			<p className="truncate text-xs text-muted tabular-nums">{aboutFailure(result)}</p>
		</li>
	);
}
