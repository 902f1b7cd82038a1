"use client";

import { type RefObject, useCallback, useEffect, useState } from "react";

type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?(): void };

/**
 * The player with its controls as large as the screen. The whole page goes full screen and the player lies over it:
 * menus, dialogs and toasts are elsewhere in the page and would not be seen in an element that is alone there.
 */
export function useFullScreen(video: RefObject<HTMLVideoElement | null>) {
	const [fullScreen, setFullScreen] = useState(false);
	useEffect(() => {
		const look = () => {
			if (document.fullscreenElement === null) setFullScreen(false);
		};
		document.addEventListener("fullscreenchange", look);
		return () => {
			document.removeEventListener("fullscreenchange", look);
			if (document.fullscreenElement === document.documentElement) void document.exitFullscreen();
		};
	}, []);
	const toggleFullScreen = useCallback(() => {
		const page = document.documentElement;
		if (document.fullscreenElement !== null) void document.exitFullscreen();
		else if (page.requestFullscreen !== undefined) {
			page.requestFullscreen().then(
				() => setFullScreen(true),
				() => undefined,
			);
		} else (video.current as PhoneVideo | null)?.webkitEnterFullscreen?.();
	}, [video]);
	return { fullScreen, toggleFullScreen };
}
