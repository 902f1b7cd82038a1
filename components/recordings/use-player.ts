"use client";

import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";

export const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16] as const;
/** Runners record 15 pictures a second; what the video really has is learnt while it plays. */
const USUAL_FRAME_SECONDS = 1 / 15;

export interface Player {
	playing: boolean;
	seconds: number;
	durationSeconds: number;
	speed: number;
	toggle(): void;
	seek(seconds: number): void;
	skip(seconds: number): void;
	/** One picture forward (1) or back (-1); playing pauses. */
	step(direction: 1 | -1): void;
	setSpeed(speed: number): void;
	fullScreen(): void;
	/** Where the video is at this very moment. */
	currentSeconds(): number;
}

/** Drives a <video> and tells how it stands. */
export function usePlayer(video: RefObject<HTMLVideoElement | null>, knownSeconds: number): Player {
	const [state, setState] = useState({ playing: false, seconds: 0, durationSeconds: knownSeconds, speed: 1 });
	const showSeconds = useCallback((seconds: number) => setState((before) => ({ ...before, seconds })), []);
	const actions = usePlayerActions(video, knownSeconds, showSeconds);

	useEffect(() => {
		const element = video.current;
		if (element === null) return;
		const look = () =>
			setState({
				playing: !element.paused && !element.ended,
				seconds: element.currentTime,
				durationSeconds: Number.isFinite(element.duration) ? element.duration : knownSeconds,
				speed: element.playbackRate,
			});
		const events = ["play", "pause", "ended", "timeupdate", "seeking", "seeked", "durationchange", "ratechange"];
		for (const event of events) element.addEventListener(event, look);
		look();
		return () => {
			for (const event of events) element.removeEventListener(event, look);
		};
	}, [video, knownSeconds]);

	return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}

type Actions = Omit<Player, "playing" | "seconds" | "durationSeconds" | "speed">;

/** What can be done with a <video>. `showSeconds`: where a jump leads, before the video has got there. */
function usePlayerActions(
	video: RefObject<HTMLVideoElement | null>,
	knownSeconds: number,
	showSeconds: (seconds: number) => void,
): Actions {
	const frameSeconds = useFrameSeconds(video);
	const act = useCallback(
		(change: (element: HTMLVideoElement) => void) => {
			if (video.current !== null) change(video.current);
		},
		[video],
	);

	return useMemo(() => {
		const seek = (seconds: number) =>
			act((element) => {
				const end = Number.isFinite(element.duration) ? element.duration : knownSeconds;
				const target = Math.min(Math.max(0, seconds), end);
				element.currentTime = target;
				showSeconds(target);
			});
		return {
			seek,
			// A refused play (no gesture, or a source that went) shows in the element's own events.
			toggle: () => act((element) => (element.paused ? void element.play().catch(() => undefined) : element.pause())),
			skip: (seconds: number) => act((element) => seek(element.currentTime + seconds)),
			step: (direction: 1 | -1) =>
				act((element) => {
					element.pause();
					seek(element.currentTime + direction * frameSeconds.current);
				}),
			setSpeed: (speed: number) =>
				act((element) => {
					element.playbackRate = speed;
				}),
			fullScreen: () =>
				act((element) => {
					if (document.fullscreenElement) void document.exitFullscreen();
					else void element.requestFullscreen?.().catch(() => undefined);
				}),
			currentSeconds: () => video.current?.currentTime ?? 0,
		};
	}, [act, knownSeconds, frameSeconds, video, showSeconds]);
}

/** The time between two pictures, as seen while the video plays. */
function useFrameSeconds(video: RefObject<HTMLVideoElement | null>): RefObject<number> {
	const seconds = useMemo(() => ({ current: USUAL_FRAME_SECONDS }), []);
	useEffect(() => {
		const element = video.current;
		if (element === null || !("requestVideoFrameCallback" in element)) return;
		let last: number | undefined;
		let least = Number.POSITIVE_INFINITY;
		let request = element.requestVideoFrameCallback(function see(_now, frame) {
			const apart = last === undefined ? 0 : frame.mediaTime - last;
			// At high speeds pictures are left out, so the smallest distance is the true one.
			if (apart > 0.004 && apart < 0.5 && apart < least) {
				least = apart;
				seconds.current = apart;
			}
			last = frame.mediaTime;
			request = element.requestVideoFrameCallback(see);
		});
		return () => element.cancelVideoFrameCallback(request);
	}, [video, seconds]);
	return seconds;
}
