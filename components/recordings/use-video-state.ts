"use client";

import { type RefObject, useEffect, useState } from "react";

export interface VideoState {
	playing: boolean;
	/** Where the video is. */
	seconds: number;
	/** The length that the video itself tells; 0 while it is unknown or has no end yet. */
	ownSeconds: number;
	/** Something is awaited: the picture of another moment, or bytes. */
	waiting: boolean;
	hasSound: boolean;
	muted: boolean;
}

const EVENTS = [
	...["play", "playing", "pause", "ended", "timeupdate", "seeking", "seeked", "waiting", "canplay", "loadeddata"],
	...["durationchange", "volumechange", "emptied", "error"],
];
/** Between two pictures of a fast video the page need not be drawn anew. */
const LEAST_MS = 60;

const AT_FIRST: VideoState = {
	playing: false,
	seconds: 0,
	ownSeconds: 0,
	waiting: false,
	hasSound: false,
	muted: false,
};

/** How a <video> stands, up to the picture that is shown. */
export function useVideoState(video: RefObject<HTMLVideoElement | null>): VideoState {
	const [state, setState] = useState(AT_FIRST);
	useEffect(() => {
		const element = video.current;
		if (element === null) return;
		let lookedAt = 0;
		const look = () => {
			lookedAt = performance.now();
			setState((before) => {
				const now = stateOf(element);
				return same(before, now) ? before : now;
			});
		};
		const over = new AbortController();
		for (const event of EVENTS) element.addEventListener(event, look, { signal: over.signal });
		look();
		let request = 0;
		const hasFrames = "requestVideoFrameCallback" in element;
		const onFrame = () => {
			if (performance.now() - lookedAt > LEAST_MS) look();
			request = element.requestVideoFrameCallback(onFrame);
		};
		if (hasFrames) request = element.requestVideoFrameCallback(onFrame);
		return () => {
			over.abort();
			if (hasFrames) element.cancelVideoFrameCallback(request);
		};
	}, [video]);
	return state;
}

function stateOf(element: HTMLVideoElement): VideoState {
	const playing = !element.paused && !element.ended;
	return {
		playing,
		seconds: element.currentTime,
		ownSeconds: Number.isFinite(element.duration) ? element.duration : 0,
		waiting:
			element.error === null &&
			(element.seeking || (playing && element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA)),
		hasSound: hasSound(element),
		muted: element.muted,
	};
}

function same(a: VideoState, b: VideoState): boolean {
	return (Object.keys(a) as (keyof VideoState)[]).every((key) => a[key] === b[key]);
}

/** Each browser has a way of its own to tell. */
function hasSound(element: HTMLVideoElement): boolean {
	const told = element as HTMLVideoElement & {
		mozHasAudio?: boolean;
		webkitAudioDecodedByteCount?: number;
		audioTracks?: { length: number };
	};
	return (
		told.mozHasAudio === true || (told.webkitAudioDecodedByteCount ?? 0) > 0 || (told.audioTracks?.length ?? 0) > 0
	);
}
