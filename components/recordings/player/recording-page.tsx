"use client";

import { useQuery } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { ChevronDown, ChevronLeft, ChevronUp, Pencil } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { showSecondsOf } from "#components/tests/moments.ts";
import { isFailure } from "#components/tests/result-icon.tsx";
import { CompareLink, ResultSummary } from "#components/tests/result-summary.tsx";
import { compareResultsPath } from "#components/tests/test-path.ts";
import { type ResultAddress, useFollowedAddress, useResultAddress } from "#components/tests/use-result-address.ts";
import { type TestsOfRecording, useTestsOfRecording } from "#components/tests/use-tests-of-recording.ts";
import { DialogButton, type DialogControl } from "#components/ui/dialog-button.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Tab } from "#components/ui/tabs.tsx";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { errorMessage } from "#lib/client/api.ts";
import { recordingQuery } from "#lib/client/recordings.ts";
import { tracksPath, tracksQuery } from "#lib/client/tracks.ts";
import { useHasPassed } from "../compare/use-has-passed.ts";
import { useLastList } from "../last-list.ts";
import { RecordingBadges } from "../recording-badges.tsx";
import { RecordingNotFound } from "../recording-not-found.tsx";
import { VerdictNotice } from "../verdict-notice.tsx";
import { IconButton } from "./icon-button.tsx";
import { clearPlayRequest, comparePath, isPlayRequested, requestPlay } from "./player-link.ts";
import { type PlayerHandle, RecordingPlayer } from "./recording-player.tsx";
import { BELOW_A_RESULT, MAX_VIDEO_HEIGHT } from "./video-frame.tsx";

interface Props {
	recordingId: number;
	/**
	 * The start position in seconds. With 0, playback starts shortly before the failure, or at the beginning if nothing
	 * failed.
	 */
	startSeconds: number;
}

/** The page of one recording: the failure first, and the video from shortly before it. */
export function RecordingPage({ recordingId, startSeconds }: Props) {
	const query = useQuery(recordingQuery(recordingId));
	const recording = query.data;
	// Here, not below: the page before forgets the request when it is left, which may be before this recording is known.
	const playRequested = usePlayRequest(recordingId);
	usePageTitle(recording?.name);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-[2200px] flex-col gap-3 p-4 md:px-6 md:py-4">
				<ListLinks recordingId={recordingId}>{recording ? <Head recording={recording} /> : null}</ListLinks>
				{query.isError ? (
					<Notice tone="danger" alert>
						{`Couldn't load the recording. ${errorMessage(query.error)}`}
					</Notice>
				) : null}
				{recording === null ? <RecordingNotFound recordingId={recordingId} /> : null}
				{query.isPending ? <Waiting /> : null}
				{recording?.kind === "video" ? (
					<Shown recording={recording} startSeconds={startSeconds} playRequested={playRequested} />
				) : null}
				{recording && recording.kind !== "video" ? <LazyContent load={loadFile} recording={recording} /> : null}
			</div>
		</div>
	);
}

interface ShownProps extends Omit<Props, "recordingId"> {
	recording: Recording;
	playRequested: boolean;
}

function Shown({ recording, startSeconds, playRequested }: ShownProps) {
	const goTo = useNavigate();
	const player: PlayerHandle = useRef(null);
	const address = useResultAddress();
	const tests = useTestsOfRecording(recording.id, { resultId: address.resultId, seconds: startSeconds });
	const tracks = useQuery(tracksQuery(tracksPath(recording)));
	const { selected } = tests;
	useFollowedAddress(address, selected, player);
	useFailureKeys(tests, address, player);
	const isFailed = tests.isKnown && isComparable(recording, selected);
	const hasPassed = useHasPassed({ recordingId: recording.id, result: selected, enabled: isFailed });
	// The data for the start position and for the parts above and next to the player.
	if (!tests.isKnown || tracks.isLoading) return <Waiting />;
	const start = startSeconds || (selected && recording.state !== "live" ? (showSecondsOf(selected) ?? 0) : 0);
	const path = selected === undefined ? comparePath(recording.id) : compareResultsPath(selected, null);
	const compare = hasPassed ? <CompareLink href={path} /> : null;
	return (
		<>
			{selected === undefined ? null : <ResultSummary result={selected} actions={compare} />}
			{selected === undefined ? compare : null}
			<VerdictNotice verdict={recording.verdict} />
			<div style={selected === undefined ? undefined : BELOW_A_RESULT}>
				<RecordingPlayer
					recording={recording}
					startSeconds={start}
					autoPlay={playRequested}
					preload="metadata"
					handle={player}
					result={selected}
					page={{ before: stepsTab(tests, address), after: aboutTabs(recording, player) }}
					onDeleted={() => void goTo("/recordings")}
				/>
			</div>
			{selected === undefined || selected.attachmentCount === 0 ? null : (
				<LazyContent load={loadAttachments} resultId={selected.id} />
			)}
		</>
	);
}

const loadFile = () => import("../file-page.tsx").then((module) => module.FilePage);
const loadAttachments = () =>
	import("#components/tests/result-attachments.tsx").then((module) => module.ResultAttachments);
const loadSteps = () => import("#components/tests/tests-panel.tsx").then((module) => module.TestsPanel);
const loadHistory = () => import("./recording-history.tsx").then((module) => module.RecordingHistory);
const loadDetails = () => import("./recording-details.tsx").then((module) => module.RecordingDetails);

/** The tests with their steps. Not shown for a single test without steps, which is the whole video. */
const stepsTab = ({ all, selected }: TestsOfRecording, { select }: ResultAddress): Tab[] =>
	isWorthAList(all)
		? [
				{
					id: "steps",
					title: "Tests",
					content: <LazyContent load={loadSteps} results={all} selectedId={selected?.id} onSelect={select} />,
				},
			]
		: [];

const isWorthAList = (results: readonly TestResult[]): boolean =>
	results.length > 1 || results.some(({ steps }) => steps.length > 0);

/** Tabs with the course of the job and further details of the recording. */
function aboutTabs(recording: Recording, player: PlayerHandle): Tab[] {
	const { jobId } = recording;
	const seek = (seconds: number) => {
		player.current?.seek(seconds);
		player.current?.video?.scrollIntoView({ block: "nearest" });
	};
	const events = (id: number) => <LazyContent load={loadHistory} jobId={id} recording={recording} onSeek={seek} />;
	return [
		...(jobId === null ? [] : [{ id: "events", title: "Events", content: <Page>{events(jobId)}</Page> }]),
		{
			id: "details",
			title: "Details",
			content: (
				<Page>
					<LazyContent load={loadDetails} recording={recording} />
				</Page>
			),
		},
	];
}

/** Text in the panel, which scrolls where the panel has a height of its own. */
const Page = ({ children }: { children: ReactNode }) => (
	<div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-3">{children}</div>
);

/** Keys for the failures of the video: each is selected, and the video shows it from shortly before. */
function useFailureKeys({ all, selected }: TestsOfRecording, address: ResultAddress, player: PlayerHandle): void {
	const go = (direction: 1 | -1) => {
		const next = address.selectFailure(all, selected, direction);
		const seconds = next === undefined ? null : showSecondsOf(next);
		if (seconds !== null) player.current?.seek(seconds);
	};
	useShortcuts({ nextFailure: () => go(1), previousFailure: () => go(-1) });
}

/** Whether a click requested that this recording plays. The request is valid until its page is left. */
function usePlayRequest(recordingId: number): boolean {
	const [requested] = useState(() => isPlayRequested(recordingId));
	useEffect(() => clearPlayRequest, []);
	return requested;
}

/** The button that was pressed on the page before: it keeps the focus. */
let pressed: string | null = null;

/** Links to the list, and to the recordings before and after this one in it. The name is between them. */
function ListLinks({ recordingId, children }: { recordingId: number; children: ReactNode }) {
	const goTo = useNavigate();
	const { name, href, previous, next } = useLastList(recordingId);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (pressed !== null) box.current?.querySelector<HTMLElement>(`[aria-label="${pressed}"]`)?.focus();
		pressed = null;
	}, []);
	const play = (one: typeof next, by: string | null = null) => {
		if (one === null) return;
		pressed = by;
		requestPlay(one.id);
		void goTo(one.path);
	};
	useShortcuts({ previousOpenRecording: () => play(previous), nextOpenRecording: () => play(next) });
	return (
		<div ref={box} className="flex min-h-8 flex-wrap items-center gap-x-1 gap-y-2">
			<Link
				href={href}
				className="-ms-1 flex min-h-6 min-w-0 max-w-52 items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink max-md:me-auto md:me-2"
			>
				<ChevronLeft aria-hidden className="size-4 shrink-0" />
				<span className="truncate">{name}</span>
			</Link>
			<div className="min-w-0 max-md:order-last max-md:w-full md:me-auto md:flex-1">{children}</div>
			{previous === null && next === null ? null : (
				<>
					<IconButton
						label="Previous recording"
						keys="Shift K"
						shortcuts="Shift+K"
						aria-disabled={previous === null}
						onClick={() => play(previous, "Previous recording")}
					>
						<ChevronUp aria-hidden />
					</IconButton>
					<IconButton
						label="Next recording"
						keys="Shift J"
						shortcuts="Shift+J"
						aria-disabled={next === null}
						onClick={() => play(next, "Next recording")}
					>
						<ChevronDown aria-hidden />
					</IconButton>
				</>
			)}
		</div>
	);
}

function Head({ recording }: { recording: Recording }) {
	const canRename = useCan("recordings:write");
	return (
		<div className="flex flex-wrap items-center gap-x-2 gap-y-1">
			<h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{recording.name}</h1>
			{canRename ? (
				<DialogButton
					dialog={(control) => <LazyRenameDialog recording={recording} {...control} />}
					variant="ghost"
					size="icon"
					aria-label="Rename"
					title="Rename"
				>
					<Pencil aria-hidden className="size-4" />
				</DialogButton>
			) : null}
			<RecordingBadges recording={recording} />
		</div>
	);
}

const loadRenameDialog = () => import("../rename-dialog.tsx").then((module) => module.RenameDialog);

function LazyRenameDialog(props: DialogControl & { recording: Recording }) {
	const RenameDialog = useEagerLazyModule(loadRenameDialog, true);
	return RenameDialog === null ? null : <RenameDialog {...props} />;
}

/** A failure is worth comparing once its video is complete. */
const isComparable = ({ state, outcome, verdict }: Recording, selected: TestResult | undefined): boolean =>
	state !== "live" &&
	(isFailure({ outcome }) ||
		verdict === "black" ||
		verdict === "frozen" ||
		(selected !== undefined && isFailure(selected)));

const Waiting = () => (
	<>
		<Skeleton className="h-6 w-64" />
		<div style={{ maxHeight: MAX_VIDEO_HEIGHT }} className="overflow-hidden rounded-lg">
			<Skeleton className="aspect-video w-full" />
		</div>
	</>
);
