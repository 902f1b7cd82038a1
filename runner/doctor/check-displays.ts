/** Checks that there are displays, and that ffmpeg can capture them. */
import { execFile } from "node:child_process";
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";
import type { Fault } from "../base/fault.ts";
import { errorLineOf, faultOf } from "../capture/capture-fault.ts";
import type { DisplayList, OpenDisplay } from "../displays/displays.ts";
import { evenSize } from "../video/video-format.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const CAPTURE_TIMEOUT_MS = 10_000;
const AT_ONCE = 3;
const COMPLETE_FFMPEG = "check that this ffmpeg is a complete build, or install one with: apt-get install ffmpeg";

/**
 * @param wanted the display that has to exist, such as `:99`; null for any.
 * @param notAllowed why the wanted display may not be recorded; null when it may.
 */
export function checkDisplays(
	{ displays, refused }: DisplayList,
	wanted: string | null,
	notAllowed: Fault | null,
): Finding[] {
	const none = displays.length === 0;
	const findings = displays.map(({ id, width, height }) => ok("display", `${id} found, ${width}x${height}`));
	for (const { id, what, remedy } of refused) {
		const isNeeded = wanted === null ? none : id === wanted;
		findings.push((isNeeded ? failure : warning)("display", what, remedy));
	}
	const isFound = displays.some(({ id }) => id === wanted);
	if (wanted !== null && notAllowed !== null) {
		findings.push(failure("display", notAllowed.what, notAllowed.remedy));
	} else if (wanted !== null && !isFound && !refused.some(({ id }) => id === wanted)) {
		findings.push(
			failure("display", `Display ${wanted} was not found`, "start its X server, or set DISPLAY to another one"),
		);
	} else if (none && refused.length === 0) {
		findings.push(failure("display", "No X display was found", "start one, such as Xvfb :99, or set DISPLAY"));
	}
	return findings;
}

/**
 * Captures and encodes a few frames of each, as a recording does.
 * @param exists checks again whether a display exists: displays of tests often end in the meantime.
 */
export async function checkCapture(
	displays: readonly OpenDisplay[],
	ffmpeg: { program: string; env: NodeJS.ProcessEnv },
	exists: (display: OpenDisplay) => Promise<boolean>,
): Promise<Finding[]> {
	const left = [...displays];
	const findings = new Map<OpenDisplay, Finding>();
	const work = async (): Promise<void> => {
		for (let display = left.shift(); display !== undefined; display = left.shift()) {
			const found = await captureOf(display, ffmpeg);
			const isGone = found.level === "failure" && !(await exists(display));
			const gone = warning(
				"capture",
				`${display.id} disappeared during the check`,
				"start it again if you want to record it",
			);
			findings.set(display, isGone ? gone : found);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return displays.flatMap((display) => findings.get(display) ?? []);
}

function captureOf(
	{ id, xName, ...size }: OpenDisplay,
	{ program, env }: { program: string; env: NodeJS.ProcessEnv },
): Promise<Finding> {
	const { width, height } = evenSize(size);
	const args = [
		...["-hide_banner", "-nostdin", "-nostats", "-f", "x11grab", "-framerate", String(FRAME_RATES.default)],
		...["-video_size", `${width}x${height}`, "-i", xName],
		...["-frames:v", "3", "-an", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-f", "null", "-"],
	];
	return new Promise((resolve) => {
		execFile(program, args, { env, timeout: CAPTURE_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, _out, stderr) => {
			if (error === null) return resolve(ok("capture", `ffmpeg captures ${id}`));
			const fault = faultOf(stderr, id, false);
			const what = fault?.what ?? (errorLineOf(stderr) || error.message);
			resolve(failure("capture", `ffmpeg can't capture ${id}: ${what}`, fault?.remedy ?? COMPLETE_FFMPEG));
		});
	});
}
