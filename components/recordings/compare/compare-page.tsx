"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import {
	commonMoments,
	comparedFrom,
	momentsOf,
	offsetAtFailure,
	offsetOfStep,
} from "@tapedeck/contract/alignments.ts";
import type { LastPassed } from "@tapedeck/contract/failure.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { ChevronLeft, SearchX } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { endOf, showSecondsOf } from "#components/tests/moments.ts";
import { resultTitle } from "#components/tests/outcome-strip.tsx";
import { compareResultsPath } from "#components/tests/test-path.ts";
import { testResultQuery } from "#components/tests/tests.ts";
import { useTestsOfRecording } from "#components/tests/use-tests-of-recording.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { quoted } from "#lib/client/format.ts";
import { markersQuery, type TimedMarker } from "#lib/client/markers.ts";
import { recordingQuery } from "#lib/client/recordings.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { PlayerStage } from "../player/player-stage.tsx";
import type { PlayerStore } from "../player/player-store.ts";
import { SharedPlayer, useAttached } from "../player/use-player.tsx";
import { RecordingBadges } from "../recording-badges.tsx";
import { RecordingNotFound } from "../recording-not-found.tsx";
import { CompareControls, type CompareView } from "./compare-controls.tsx";
import { PairedPlayers } from "./paired-players.ts";
import type { Stretch } from "./use-first-difference.ts";
import { historyToCompare, useOther } from "./use-other.ts";

interface Props {
	recordingId: number;
	/** The other recording; null for one of the same test. */
	withId: number | null;
	/** The test result to compare; null for the first failure of the recording. */
	resultId: number | null;
	/** The result of the same test to compare it with; null for the last that passed. */
	againstId: number | null;
	/** 0 for shortly before the failure. */
	startSeconds: number;
}

/**
 * A recording next to another, such as the last one in which the same test passed. Both start shortly before the
 * failure.
 */
export function ComparePage({ recordingId, withId, resultId, againstId, startSeconds }: Props) {
	const recording = useQuery(recordingQuery(recordingId));
	const tests = useTestsOfRecording(recordingId, { resultId, seconds: 0 });
	const result = tests.selected;
	const other = useOther(recordingId, { withId, againstId, result: tests.isKnown ? (result ?? null) : undefined });
	usePageTitle(recording.data ? `Compare ${recording.data.name}` : "Compare");
	const error = recording.error ?? other.error;
	const isPending = recording.isPending || other.isPending;
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-[2200px] flex-col gap-4 p-4 md:p-6">
				<Link
					href={result === undefined ? `/recordings/${recordingId}` : resultPath({ ...result, recordingId })}
					className="-ms-1 flex min-h-6 w-fit items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
				>
					<ChevronLeft aria-hidden className="size-4 shrink-0" />
					Recording
				</Link>
				<NotLoaded what="the recordings" of={[recording, other]} />
				{error === null && isPending ? (
					<div className="grid gap-4 sm:grid-cols-2">
						<Skeleton className="aspect-video rounded-lg" />
						<Skeleton className="aspect-video rounded-lg" />
					</div>
				) : null}
				{recording.data === null || other.isMissing ? <RecordingNotFound /> : null}
				{recording.data && other.nonePassed !== null ? (
					<NonePassed recording={recording.data} matchedBy={other.nonePassed} />
				) : null}
				{recording.data && other.recording && !isPending ? (
					<Pair
						key={`${recording.data.id} ${result?.id} ${other.recording.id} ${other.result?.id}`}
						left={{ recording: recording.data, result: result ?? null }}
						right={{ recording: other.recording, result: other.result }}
						note={other.note}
						startSeconds={startSeconds}
					/>
				) : null}
			</div>
		</div>
	);
}

/** A video, and the test in it that is compared; null for the whole video. */
interface Compared {
	recording: Recording;
	result: TestResult | null;
}

interface PairProps {
	left: Compared;
	right: Compared;
	note: string | null;
	startSeconds: number;
}

function Pair({ left, right, note, startSeconds }: PairProps) {
	// The failing steps may be among those that a list cuts off.
	const [own, others] = [useWhole(left.result), useWhole(right.result)];
	if (own === undefined || others === undefined) return <Skeleton className="aspect-video rounded-lg" />;
	return (
		<Players
			left={{ ...left, result: own }}
			right={{ ...right, result: others }}
			note={note}
			startSeconds={startSeconds}
		/>
	);
}

/** The result with all its steps; undefined until it has come. */
function useWhole(result: TestResult | null): TestResult | null | undefined {
	const query = useQuery({ ...testResultQuery(result?.id ?? 0), enabled: result !== null });
	return query.isLoading ? undefined : (query.data ?? result);
}

const LOW_PX = 600;

function Players({ left, right, note, startSeconds }: PairProps) {
	const [pair] = useState(() => {
		const start = startSeconds || (left.result === null ? 0 : (showSecondsOf(left.result) ?? 0));
		const offset = left.result === null || right.result === null ? 0 : offsetAtFailure(left.result, right.result);
		return new PairedPlayers(left.recording, right.recording, start, offset);
	});
	const [view, setView] = useState<CompareView>("beside");
	// After the effects of both sides, which attach their videos.
	useEffect(() => pair.open(), [pair]);
	const ownMarkers = useQuery(markersQuery(left.recording.id)).data ?? NO_MARKERS;
	const otherMarkers = useQuery(markersQuery(right.recording.id)).data ?? NO_MARKERS;
	const common = commonMoments(
		[...momentsOf(left.result?.steps ?? []), ...ownMarkers],
		[...momentsOf(right.result?.steps ?? []), ...otherMarkers],
	);
	const isStacked = view !== "beside";
	const videos = useRef<HTMLDivElement>(null);
	// In a low window, such as one at a zoom of 200 %, the controls would cover the videos.
	useLayoutEffect(() => {
		if (window.innerHeight < LOW_PX) videos.current?.scrollIntoView();
	}, []);
	return (
		<>
			<div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
				<h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">
					{left.result?.test ?? left.recording.labels.test ?? left.recording.name}
				</h1>
				{left.result === null ? null : <OtherResults left={left.result} right={right.result} />}
			</div>
			<div
				ref={videos}
				className={clsx("grid items-start gap-4", isStacked ? "[&>*]:[grid-area:1/1]" : "sm:grid-cols-2")}
			>
				<Side {...left} player={pair.left} onToggle={pair.toggle} look={LOOKS[view].left} />
				<Side {...right} player={pair.right} onToggle={pair.toggle} look={LOOKS[view].right} note={note} />
			</div>
			<CompareControls
				pair={pair}
				leftId={left.recording.id}
				rightId={right.recording.id}
				stretch={stretchOf(left.result, right.result)}
				left={ownMarkers}
				right={otherMarkers}
				common={common}
				view={view}
				onView={setView}
			/>
		</>
	);
}

/** Behind a test there are others in its video, which differ. */
function stretchOf(result: TestResult | null, other: TestResult | null): Stretch {
	const to = result === null ? null : endOf(result);
	if (result === null || other === null) return { from: result?.offsetSeconds ?? 0, to, offsets: null };
	const offsets = { atFailure: offsetAtFailure(result, other), ofStep: offsetOfStep(result, other) };
	return { from: comparedFrom(result, other), to, offsets };
}

const NO_MARKERS: readonly TimedMarker[] = [];

/** Classes for each side in views that put both videos in one place. */
const LOOKS: Record<CompareView, { left: string; right: string }> = {
	beside: { left: "", right: "" },
	overlay: { left: "", right: "opacity-50" },
	left: { left: "", right: "invisible" },
	right: { left: "invisible", right: "" },
};

/** Any other result of the same test that has a video. */
function OtherResults({ left, right }: { left: TestResult; right: TestResult | null }) {
	const goTo = useNavigate();
	const history = useInfiniteQuery(historyToCompare(left.testId));
	const shown = history.data?.pages.flatMap((page) => page?.data ?? []) ?? [];
	const options = shown.filter(({ id, recordingId }) => recordingId !== null && id !== left.id);
	if (right !== null && !options.some(({ id }) => id === right.id)) options.push(right);
	if (options.length < 2) return null;
	return (
		<select
			aria-label="Compare with"
			value={String(right?.id ?? "")}
			onChange={({ target }) => void (target.value === "" || goTo(compareResultsPath(left, Number(target.value))))}
			className={inputClass(false, "w-auto! max-w-full")}
		>
			{right === null ? <option value="">Another recording</option> : null}
			{options.map((one) => (
				<option key={one.id} value={one.id}>
					{resultTitle(one)}
				</option>
			))}
		</select>
	);
}

interface SideProps extends Compared {
	player: PlayerStore;
	look: string;
	onToggle(): void;
	note?: string | null;
}

function Side({ recording, result, player, look, onToggle, note = null }: SideProps) {
	const video = useRef<HTMLVideoElement>(null);
	const still = useRef<HTMLCanvasElement>(null);
	useAttached(player, video, still);
	const { id, name, labels } = recording;
	const about = result === null ? null : aboutFailure(result);
	return (
		<section aria-label={name} className="flex min-w-0 flex-col gap-2">
			<div className={clsx("overflow-hidden rounded-lg border border-line bg-black", look)}>
				<SharedPlayer player={player}>
					<PlayerStage
						recording={recording}
						video={video}
						still={still}
						preload="auto"
						withPoster={false}
						onToggle={onToggle}
					/>
				</SharedPlayer>
			</div>
			<div
				className={clsx("flex flex-col gap-2", look === "" ? "" : "items-end text-end", look === "invisible" && look)}
			>
				<div className="flex flex-wrap items-center gap-x-2 gap-y-1">
					<Link
						href={result === null ? `/recordings/${id}` : resultPath({ ...result, recordingId: id })}
						className="min-w-0 text-sm leading-6 font-medium break-words underline-offset-2 hover:underline"
					>
						{name}
					</Link>
					{result === null ? <RecordingBadges recording={recording} /> : <OutcomeBadge outcome={result.outcome} />}
				</div>
				<p className="text-xs text-muted tabular-nums">
					{labels.build === undefined ? null : `Build ${labels.build} · `}
					{labels.branch === undefined ? null : `${labels.branch} · `}
					{`${formatDuration(recording.durationSeconds)} · `}
					{about === null ? null : `${about} · `}
					<TimeAgo at={recording.createdAt} />
				</p>
				{note === null ? null : <p className="text-xs text-warn">{note}</p>}
			</div>
		</section>
	);
}

function NonePassed({ recording, matchedBy }: { recording: Recording; matchedBy: LastPassed["matchedBy"] }) {
	const test = recording.labels.test ?? recording.name;
	return (
		<EmptyState
			icon={SearchX}
			title="No passed recording to compare with"
			level="h1"
			actions={
				<Link href={`/recordings/${recording.id}`} className={buttonClass("primary")}>
					Back to the recording
				</Link>
			}
		>
			{matchedBy === "test"
				? `No earlier recording with the test label ${quoted(test)} passed.`
				: `No earlier recording named ${quoted(test)} passed. Set the same test label on all recordings of a test to match them by it.`}{" "}
			Report passing results too. If you keep only failures, pin a passing recording to compare with.{" "}
			<a href="/docs/guides/finding" className="text-accent underline underline-offset-2">
				How to report test results
			</a>
		</EmptyState>
	);
}
