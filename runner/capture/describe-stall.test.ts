import { expect, test } from "vitest";
import { stallMessage } from "./describe-stall.ts";

test("a stall of ffmpeg names the machine as its cause", () => {
	expect(stallMessage({ from: 61.25, to: 75 })).toBe(
		"The capture stalled for 13.8 s, from 1:01.2 to 1:15.0 of the video, which shows the last frame from before. Check whether this machine was paused or short of CPU time.",
	);
});

test("the gap while a display is resized, or ffmpeg is started anew, is not blamed on the machine", () => {
	const message = stallMessage({ from: 2, to: 3.5, isRestart: true });
	expect(message).toContain("for 1.5 s, from 0:02.0 to 0:03.5 of the video, while the capture was restarted");
	expect(message).not.toMatch(/CPU|stalled/);
});
