"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { LiveFeed, type LiveFeedState } from "#components/recordings/player/live-feed.ts";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";

/** Why a stored video does not play: its file is gone, nobody answers, or this browser cannot decode it. */
export type VideoProblem = "gone" | "unreachable" | "undecodable";

export interface VideoSource {
	/** Null for a stored video. */
	live: LiveFeedState | null;
	feed: RefObject<LiveFeed | null>;
	problem: VideoProblem | null;
	/** Loads the stored video again and goes on where it was. */
	retry(): void;
	/** How long the recording is by now, in seconds. */
	edgeSeconds(): number;
}

/** A recording that grows is told about once a second; without news for longer it may stand still. */
const NEWS_SECONDS = 3;
const AT_FIRST: LiveFeedState = { picture: "waiting", following: true };

/** Whether there is a live picture: a runner records it. A file that somebody uploads plays once it is whole. */
export const isRecorded = ({ state, jobId }: Recording): boolean => state === "live" && jobId !== null;

/**
 * Gives a <video> what it plays: the live bytes while a recording is made, the stored video afterwards. Who was behind
 * the newest picture when it ended goes on at the same moment, playing or not as before.
 *
 * @param still lies over the video and shows its last picture until that of the next source is there.
 */
export function useVideoSource(
	video: RefObject<HTMLVideoElement | null>,
	still: RefObject<HTMLCanvasElement | null>,
	recording: Played,
	startSeconds: number,
): VideoSource {
	const { durationSeconds } = recording;
	const path = mediaPath(recording);
	const isLive = isRecorded(recording);
	const isArriving = recording.state === "live" && !isLive;
	const [live, setLive] = useState<LiveFeedState>(AT_FIRST);
	const feed = useRef<LiveFeed | null>(null);
	const edgeSeconds = useEdge(durationSeconds, isLive);
	/** What the next source takes over from the one before. */
	const next = useRef({ seconds: startSeconds, play: false });

	useEffect(() => {
		const element = video.current;
		if (element === null || isArriving) return;
		const { seconds, play } = next.current;
		if (!isLive) {
			element.src = `${path}/video`;
			if (seconds > 0) element.currentTime = seconds;
			if (play) void element.play().catch(() => undefined);
			return;
		}
		const behind = seconds > 0 && seconds < edgeSeconds() - 1;
		let state = { ...AT_FIRST, following: !behind };
		setLive(state);
		const own = new LiveFeed({
			video: element,
			path: `${path}/live`,
			startSeconds: behind ? seconds : undefined,
			edgeSeconds,
			onState: (told) => {
				state = told;
				setLive(told);
			},
		});
		feed.current = own;
		return () => {
			next.current = state.following
				? { seconds: 0, play: false }
				: { seconds: element.currentTime, play: !element.paused };
			if (!state.following) keepStill(element, still.current);
			feed.current = null;
			own.close();
		};
	}, [video, still, path, isLive, isArriving, edgeSeconds]);

	const { problem, retry } = useProblem(video, `${path}/video`, isLive || isArriving);
	return { live: isLive ? live : null, feed, problem, retry, edgeSeconds };
}

/** @returns a function that tells how long the recording is by now: between two pieces of news it grows by itself. */
function useEdge(durationSeconds: number, isLive: boolean): () => number {
	const known = useRef({ seconds: durationSeconds, at: 0 });
	useEffect(() => {
		known.current = { seconds: durationSeconds, at: performance.now() };
	}, [durationSeconds]);
	return useCallback(() => {
		const { seconds, at } = known.current;
		return isLive ? seconds + Math.min(NEWS_SECONDS, (performance.now() - at) / 1000) : seconds;
	}, [isLive]);
}

function keepStill(video: HTMLVideoElement, still: HTMLCanvasElement | null): void {
	if (still === null || video.videoWidth === 0) return;
	still.width = video.videoWidth;
	still.height = video.videoHeight;
	still.getContext("2d")?.drawImage(video, 0, 0);
	still.hidden = false;
	const over = new AbortController();
	const drop = () => {
		still.hidden = true;
		over.abort();
	};
	for (const event of ["seeked", "playing", "error"]) video.addEventListener(event, drop, { signal: over.signal });
}

function useProblem(video: RefObject<HTMLVideoElement | null>, path: string, growing: boolean) {
	const [problem, setProblem] = useState<VideoProblem | null>(null);
	const brokeAt = useRef(0);
	const retry = useCallback(() => {
		const element = video.current;
		if (element === null) return;
		setProblem(null);
		element.src = path;
		element.currentTime = brokeAt.current;
		void element.play().catch(() => undefined);
	}, [video, path]);

	useEffect(() => {
		const element = video.current;
		if (element === null || growing) return;
		const over = new AbortController();
		const { signal } = over;
		const judge = async () => {
			if (element.error === null) return;
			brokeAt.current = element.currentTime;
			setProblem(await problemOf(path, signal));
		};
		element.addEventListener("error", () => void judge(), { signal });
		element.addEventListener("loadedmetadata", () => setProblem(null), { signal });
		return () => {
			over.abort();
			setProblem(null);
		};
	}, [video, path, growing]);

	useEffect(() => {
		if (problem !== "unreachable") return;
		window.addEventListener("online", retry);
		return () => window.removeEventListener("online", retry);
	}, [problem, retry]);
	return { problem, retry };
}

async function problemOf(path: string, signal: AbortSignal): Promise<VideoProblem | null> {
	try {
		const { status } = await fetch(path, { method: "HEAD", signal, credentials: "same-origin" });
		if (status === 404) return "gone";
		return status < 400 ? "undecodable" : "unreachable";
	} catch {
		return signal.aborted ? null : "unreachable";
	}
}
