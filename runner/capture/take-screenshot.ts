/** One picture of a display in its full size, as a PNG. */
import { spawn } from "node:child_process";
import { buffer, text } from "node:stream/consumers";
import type { ScreenshotQuery } from "@tapedeck/contract/runner-protocol.ts";
import type { Region } from "@tapedeck/contract/video-kinds.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import type { OpenDisplay } from "../displays/displays.ts";
import { findWindow, isWindowId, placeOf } from "../displays/x11-windows.ts";
import { type CaptureTools, noDisplay } from "./begin-capture.ts";
import { type CaptureFault, faultOf, startFault, unknownFault } from "./capture-fault.ts";
import { SAMPLE_HEIGHT, SAMPLE_WIDTH } from "./ffmpeg.ts";
import { areaOf, regionFault } from "./recorded-area.ts";
import { PictureVerdict } from "./verdict.ts";

/** `timeout` ends ffmpeg after this time, even if the runner is killed in the meantime. */
const GRAB_SECONDS = 15;

export interface ScreenshotTools extends CaptureTools {
	/** Whether nothing of the display may be shown. */
	isPrivate(displayId: string): boolean;
}

interface WantedScreenshot {
	displayId: string;
	video: Pick<VideoOptions, "region" | "window">;
	/** Maximum time to wait for the display. */
	displayWaitMs: number;
	signal: AbortSignal;
}

interface Screenshot {
	png: Buffer;
	/** In milliseconds since 1970. */
	at: number;
	verdict: ScreenshotQuery["verdict"];
	note?: string;
}

/** @returns null if the signal aborts. */
export async function takeScreenshot(
	tools: ScreenshotTools,
	{ displayId, video, displayWaitMs, signal }: WantedScreenshot,
): Promise<Screenshot | { fault: CaptureFault } | null> {
	const notAllowed = tools.displays.notAllowed(displayId);
	if (notAllowed !== null) return { fault: notAllowed };
	const display = await tools.displays.waitFor(displayId, displayWaitMs, signal);
	if (signal.aborted) return null;
	if (display === undefined) return { fault: noDisplay(tools, displayId, displayWaitMs) };
	const missing = video.region === undefined ? null : regionFault(display, video.region);
	if (missing !== null) return { fault: missing };
	const window = await windowIn(tools, displayId, video.window);
	const area = areaOf(display, video, window);
	const taken = await grab(tools, display, area, signal);
	if (taken === null || "fault" in taken) return taken;
	const { isPrivate, ...picture } = taken;
	const note = isPrivate
		? `A recording of ${displayId} is private now, so the picture is black.`
		: video.window !== undefined && window === null
			? `No window ${windowWords(video.window)} is open. The picture shows the whole display.`
			: picture.verdict === "black"
				? `The picture is of a single colour. Check that a program shows something on ${displayId}.`
				: undefined;
	return { ...picture, ...(note === undefined ? {} : { note }) };
}

export const windowWords = (wanted = ""): string => (isWindowId(wanted) ? wanted : `with "${wanted}" in its title`);

async function windowIn(tools: CaptureTools, displayId: string, wanted: string | undefined): Promise<Region | null> {
	const requests = wanted === undefined ? null : tools.displays.requests(displayId);
	if (wanted === undefined || requests === null) return null;
	const id = await findWindow(requests, wanted);
	return id === null ? null : placeOf(requests, id);
}

type Grabbed = Omit<Screenshot, "note"> & { isPrivate: boolean };

/** A display that becomes private in the meantime is grabbed again, as black. */
async function grab(
	tools: ScreenshotTools,
	display: OpenDisplay,
	area: Region,
	signal: AbortSignal,
): Promise<Grabbed | { fault: CaptureFault } | null> {
	const isPrivate = tools.isPrivate(display.id);
	const { width, height } = area;
	const input = isPrivate
		? ["-f", "lavfi", "-i", `color=c=black:s=${width}x${height},format=rgb24`]
		: [
				...[
					"-f",
					"x11grab",
					"-draw_mouse",
					"1",
					"-framerate",
					"30",
					"-grab_x",
					String(area.x),
					"-grab_y",
					String(area.y),
				],
				...["-video_size", `${width}x${height}`, "-i", display.xName],
			];
	const gray = `scale=${SAMPLE_WIDTH}:${SAMPLE_HEIGHT}:flags=area+accurate_rnd,format=gray`;
	const { ffmpeg, childEnv } = tools.config;
	const child = spawn(
		"timeout",
		[
			...["--signal=KILL", String(GRAB_SECONDS), "nice", "-n", "5", ffmpeg, "-nostdin", "-v", "error", ...input],
			...["-filter_complex", `[0:v]split[picture][all];[all]${gray}[sample]`],
			...["-map", "[picture]", "-frames:v", "1", "-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2pipe", "pipe:1"],
			...["-map", "[sample]", "-frames:v", "1", "-f", "rawvideo", "pipe:3"],
		],
		{ env: childEnv, stdio: ["ignore", "pipe", "pipe", "pipe"], signal },
	);
	const ended = new Promise<{ code: number | null; error?: Error }>((resolve) => {
		child.once("error", (error) => resolve({ code: null, error }));
		child.once("close", (code) => resolve({ code }));
	});
	const [out, err, third] = [child.stdout, child.stderr, child.stdio[3]] as NodeJS.ReadableStream[];
	if (out === undefined || err === undefined || third === undefined) throw new Error("ffmpeg has no pipes");
	const [png, stderr, sample, { code, error }] = await Promise.all([buffer(out), text(err), buffer(third), ended]);
	if (signal.aborted) return null;
	if (error !== undefined) return { fault: startFault(error) };
	if (code !== 0 || png.length === 0)
		return { fault: faultOf(stderr, display.id, false) ?? unknownFault(stderr, `status ${code}`) };
	if (!isPrivate && tools.isPrivate(display.id)) return grab(tools, display, area, signal);
	const verdict = new PictureVerdict(area);
	verdict.add(sample);
	return { png, at: Date.now(), verdict: verdict.verdict === "black" ? "black" : "ok", isPrivate };
}
