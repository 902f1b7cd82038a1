"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import type { SharedRecording } from "@tapedeck/contract/link.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { Link2Off } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Wordmark } from "#components/shell/wordmark.tsx";
import { showSecondsOf } from "#components/tests/moments.ts";
import { useFollowedAddress, useResultAddress } from "#components/tests/use-result-address.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import { Toaster } from "#components/ui/toaster.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { timed } from "#lib/client/markers.ts";
import { createQueryClient } from "#lib/client/query-client.ts";
import type { Played } from "#lib/client/recordings.ts";
import { FileView } from "../file-view.tsx";
import { OutcomeMark } from "../outcome-badge.tsx";
import { type PlayerHandle, RecordingPlayer } from "../player/recording-player.tsx";
import { BELOW_A_RESULT } from "../player/video-frame.tsx";
import { SharedResult, useSharedTests } from "./shared-tests.tsx";

/** One recording for anyone with its link; null if the link no longer works. */
export function SharedPage({ recording, startSeconds }: { recording: SharedRecording | null; startSeconds: number }) {
	if (recording === null) {
		return (
			<main className="grid min-h-dvh place-items-center">
				<EmptyState icon={Link2Off} title="This link no longer works" level="h1">
					It was revoked or has expired, or the address is incomplete. Ask the person who sent it for a new one.
				</EmptyState>
			</main>
		);
	}
	const { name, outcome, expiresAt } = recording;
	return (
		<main className="mx-auto flex min-h-dvh w-full max-w-[1600px] flex-col gap-4 p-4 md:p-6">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="text-xl font-semibold tracking-tight break-words">{name}</h1>
				{outcome === null ? null : <OutcomeMark outcome={outcome} />}
			</div>
			{recording.kind === "video" ? (
				<Shown recording={recording} startSeconds={startSeconds} />
			) : (
				<SharedFile recording={recording} />
			)}
			<footer className="flex flex-wrap items-center justify-between gap-3 text-xs text-muted">
				<span className="flex items-center gap-2">
					<Wordmark /> Shared from Tapedeck
				</span>
				{expiresAt === null ? null : (
					<span>
						This link expires on <ExactTime at={expiresAt} />.
					</span>
				)}
			</footer>
		</main>
	);
}

function SharedFile({ recording }: { recording: SharedRecording }) {
	const [client] = useState(createQueryClient);
	return (
		<QueryClientProvider client={client}>
			<FileView recording={{ ...recording, bytes: 0 }} path={new URL(recording.videoUrl).pathname} />
			<Toaster />
		</QueryClientProvider>
	);
}

function Shown(props: ShownProps) {
	const [client] = useState(createQueryClient);
	return (
		<QueryClientProvider client={client}>
			<SharedPlayer {...props} />
			<Toaster />
		</QueryClientProvider>
	);
}

interface ShownProps {
	recording: SharedRecording;
	/** The moment in the address; 0 for the link's own moment, or shortly before the failure. */
	startSeconds: number;
}

/**
 * The player outside the dashboard, with the tests and tracks that the link includes. Without a signed-in user, it
 * offers nothing to edit, share or delete.
 */
function SharedPlayer({ recording, startSeconds }: ShownProps) {
	const { at, from, to, include } = recording;
	const played = useMemo(() => playedOf(recording), [recording]);
	const hasTests = include.includes("tests");
	const address = useResultAddress();
	const tests = useSharedTests(played.shared.path, hasTests, address, startSeconds);
	const player: PlayerHandle = useRef(null);
	useFollowedAddress(address, tests.selected, player);
	// A link that begins at a moment leads there, unless a test was chosen since.
	const linked = startSeconds || (address.resultId === null ? (at ?? from) : null);
	const start = linked ?? startOf(tests.selected, recording);
	useEffect(() => {
		if (from !== null && to !== null && start >= from && start < to) player.current?.loopBetween(from, to);
	}, [from, to, start]);
	// The player is made once, with the moment at which it starts.
	if (tests.isPending && linked === null) return <Skeleton className="aspect-video w-full" />;
	return (
		<>
			{tests.isPending ? <Skeleton className="h-28 w-full" /> : null}
			{tests.error === null ? null : (
				<Notice tone="danger" alert>{`Couldn't load the tests. ${errorMessage(tests.error)}`}</Notice>
			)}
			{tests.selected === undefined ? null : <SharedResult result={tests.selected} stepsLeftOut={tests.stepsLeftOut} />}
			<div style={tests.selected === undefined ? undefined : BELOW_A_RESULT}>
				<RecordingPlayer
					recording={played}
					startSeconds={start}
					preload="metadata"
					handle={player}
					result={tests.selected}
					page={hasTests ? { before: tests.tabs, after: [] } : null}
				/>
			</div>
			{include.includes("proof") ? <Proof path={played.shared.path} /> : null}
			{tests.attachments.length === 0 ? null : (
				<LazyContent load={loadAttachments} attachments={tests.attachments} isShared />
			)}
		</>
	);
}

/** Links to the review cut for pull requests, and to its receipt, which `tapedeck verify` reads. */
const Proof = ({ path }: { path: string }) => (
	<p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
		<span>What changed, in a minute:</span>
		<a href={`${path}/proof`} download className={PROOF_LINK}>
			Review cut
		</a>
		<a href={`${path}/proof?format=gif`} download className={PROOF_LINK}>
			As a GIF
		</a>
		<a href={`${path}/proof/receipt`} download="receipt.json" className={PROOF_LINK}>
			Receipt
		</a>
	</p>
);
const PROOF_LINK = "inline-flex min-h-6 items-center text-accent underline underline-offset-2";

const loadAttachments = () => import("#components/tests/result-attachments.tsx").then((module) => module.Attachments);

/** Shortly before the failure of the test that is shown, or of the recording; else the beginning of the test. */
function startOf(selected: TestResult | undefined, { failureOffsetSeconds }: SharedRecording): number {
	const ofRecording = showSecondsOf({ failureOffsetSeconds, offsetSeconds: 0 });
	return (selected === undefined ? ofRecording : showSecondsOf(selected)) ?? 0;
}

/** The player's data, without properties that a link does not reveal. */
function playedOf(recording: SharedRecording): Played & { shared: NonNullable<Played["shared"]> } {
	const {
		markers,
		videoUrl,
		posterUrl,
		pictureUrl: _pictureUrl,
		failureOffsetSeconds: _failureOffsetSeconds,
		include,
		at: _at,
		from: _from,
		to: _to,
		...rest
	} = recording;
	// The page may be open under another name of this server than TAPEDECK_URL.
	const path = new URL(videoUrl).pathname.replace(/\/video$/, "");
	return {
		...rest,
		id: 0,
		organizationId: 0,
		jobId: null,
		state: "ready",
		bytes: 0,
		createdAt: "",
		pinned: false,
		labels: {},
		keep: "always",
		deleteAt: null,
		keptUntil: null,
		runnerId: null,
		verdict: null,
		video: null,
		url: "",
		videoUrl,
		posterUrl,
		shared: { path, markers: markers.map(timed), hasTracks: include.includes("tracks") },
	};
}
