"use client";

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LiveFeed, LiveFeedState } from "#components/recordings/player/live-feed.ts";
import { rememberedSpeed, rememberSpeed, SPEEDS } from "#lib/client/player-memory.ts";
import type { Played } from "#lib/client/recordings.ts";
import { FrameStepper } from "./frame-stepper.ts";
import { useFullScreen } from "./use-full-screen.ts";
import { type LoopControls, useLoop } from "./use-loop.ts";
import { useVideoSource, type VideoProblem } from "./use-video-source.ts";
import { useVideoState, type VideoState } from "./use-video-state.ts";

export interface Player extends VideoState, LoopControls {
	/** How long the recording is; of a live one, so far. */
	durationSeconds: number;
	/** The speed that was chosen; what is live plays as fast as it is made. */
	speed: number;
	/** Null for a stored video. */
	live: LiveFeedState | null;
	problem: VideoProblem | null;
	/** Loads the video again after a problem, and goes on where it was. */
	retry(): void;
	fullScreen: boolean;
	toggleFullScreen(): void;
	toggle(): void;
	seek(seconds: number): void;
	skip(seconds: number): void;
	/** One picture forward (1) or back (-1); playing pauses. `repeated`: the key is held down. */
	step(direction: 1 | -1, repeated?: boolean): void;
	setSpeed(speed: number): void;
	/** The next speed of the list, faster (1) or slower (-1). */
	changeSpeed(direction: 1 | -1): void;
	/** The newest picture of a live recording, the end of a stored one. */
	goToEnd(): void;
	toggleMuted(): void;
	pictureInPicture(): void;
	/** Where the video is at this very moment. */
	currentSeconds(): number;
}

/** Drives a <video> that shows a recording, live or stored, and tells how it stands. `still`: see useVideoSource. */
export function usePlayer(
	video: RefObject<HTMLVideoElement | null>,
	still: RefObject<HTMLCanvasElement | null>,
	recording: Played,
	startSeconds: number,
): Player {
	const { live, feed, problem, retry, edgeSeconds } = useVideoSource(video, still, recording, startSeconds);
	const state = useVideoState(video);
	const stepper = useStepper(video, recording.jobId !== null);
	const fullScreen = useFullScreen(video);
	const durationSeconds = live === null ? state.ownSeconds || recording.durationSeconds : edgeSeconds();

	const { go, endSeconds } = useGo(video, feed, stepper, edgeSeconds);
	const loop = useLoop(video, go);
	const { speed, ...speedActions } = useSpeed(video, live?.following === true);

	const actions = useActions({ video, feed, stepper, go, endSeconds, loop });
	return {
		...state,
		...loop,
		...speedActions,
		...fullScreen,
		...actions,
		durationSeconds,
		speed,
		live,
		problem,
		retry,
	};
}

interface Driven {
	video: RefObject<HTMLVideoElement | null>;
	feed: RefObject<LiveFeed | null>;
	stepper: RefObject<FrameStepper | null>;
}

/** The way to a second of the recording, and how many there are at this very moment. */
function useGo(video: Driven["video"], feed: Driven["feed"], stepper: Driven["stepper"], edgeSeconds: () => number) {
	const endSeconds = useCallback(() => {
		const own = video.current?.duration ?? Number.NaN;
		return Number.isFinite(own) ? own : edgeSeconds();
	}, [video, edgeSeconds]);
	const go = useCallback(
		(seconds: number) => {
			const element = video.current;
			if (element === null) return;
			stepper.current?.stop();
			const target = Math.min(Math.max(0, seconds), endSeconds());
			if (feed.current !== null) feed.current.seek(target);
			else {
				// With the poster alone so far, nothing would be loaded to go to.
				if (element.readyState === HTMLMediaElement.HAVE_NOTHING) element.preload = "auto";
				element.currentTime = target;
			}
		},
		[video, feed, stepper, endSeconds],
	);
	return { go, endSeconds };
}

interface ActionsInput extends Driven {
	go(seconds: number): void;
	endSeconds(): number;
	loop: LoopControls;
}

/** What buttons and keys do. */
function useActions({ video, feed, stepper, go, endSeconds, loop: { clearLoop, loop: range } }: ActionsInput) {
	return useMemo(() => {
		const act = (change: (element: HTMLVideoElement) => void) => {
			if (video.current !== null) change(video.current);
		};
		const seek = (seconds: number) => {
			// Who goes elsewhere does not want to be taken back.
			if (range !== null && range.end !== null && (seconds < range.start || seconds > range.end)) clearLoop();
			go(seconds);
		};
		return {
			seek,
			skip: (seconds: number) => act((element) => seek(element.currentTime + seconds)),
			// A refused play (no gesture, or a source that went) shows in the element's own events.
			toggle: () =>
				act((element) => {
					if (element.paused) return void element.play().catch(() => undefined);
					feed.current?.hold();
					element.pause();
				}),
			step: (direction: 1 | -1, repeated?: boolean) => {
				feed.current?.hold();
				stepper.current?.step(direction, repeated);
			},
			goToEnd: () => (feed.current === null ? seek(endSeconds()) : feed.current.goLive()),
			toggleMuted: () =>
				act((element) => {
					element.muted = !element.muted;
				}),
			pictureInPicture: () =>
				act((element) => {
					if (document.pictureInPictureElement !== null) void document.exitPictureInPicture();
					else void element.requestPictureInPicture?.().catch(() => undefined);
				}),
			currentSeconds: () => video.current?.currentTime ?? 0,
		};
	}, [video, feed, stepper, go, endSeconds, range, clearLoop]);
}

function useStepper(video: RefObject<HTMLVideoElement | null>, isPaceKnown: boolean): RefObject<FrameStepper | null> {
	const stepper = useRef<FrameStepper | null>(null);
	useEffect(() => {
		if (video.current === null) return;
		const own = new FrameStepper(video.current, isPaceKnown);
		stepper.current = own;
		return () => {
			stepper.current = null;
			own.close();
		};
	}, [video, isPaceKnown]);
	return stepper;
}

/** The speed is remembered for the next video. What follows the newest picture has none of its own. */
function useSpeed(video: RefObject<HTMLVideoElement | null>, following: boolean) {
	const [chosen, setChosen] = useState(rememberedSpeed);
	const speed = following ? 1 : chosen;
	useEffect(() => {
		const element = video.current;
		if (element === null || following) return;
		element.defaultPlaybackRate = speed;
		element.playbackRate = speed;
	}, [video, speed, following]);
	return useMemo(() => {
		const setSpeed = (next: number) => {
			setChosen(next);
			rememberSpeed(next);
		};
		const changeSpeed = (direction: 1 | -1) => {
			const next = SPEEDS[SPEEDS.indexOf(speed as (typeof SPEEDS)[number]) + direction];
			if (next !== undefined) setSpeed(next);
		};
		return { speed, setSpeed, changeSpeed };
	}, [speed]);
}
