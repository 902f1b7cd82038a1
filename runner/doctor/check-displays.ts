/** Are there displays, and can ffmpeg capture them? */
import { execFile } from "node:child_process";
import { evenSize } from "../capture/ffmpeg.ts";
import { faultOf, lastWords } from "../ffmpeg-reason.ts";
import type { SeenDisplay, SeenDisplays } from "../seen-displays.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const CAPTURE_TIMEOUT_MS = 10_000;
const AT_ONCE = 3;
const COMPLETE_FFMPEG = "check that this is a complete ffmpeg, or install one with: apt-get install ffmpeg";

/**
 * @param wanted the display that has to be there, such as `:99`; null when any will do.
 * @param notAllowed the sentence that says that the wanted one is not served; null when it is.
 */
export function checkDisplays(
	{ displays, refused }: SeenDisplays,
	wanted: string | null,
	notAllowed: string | null,
): Finding[] {
	const none = displays.length === 0;
	const findings = displays.map(({ id, width, height }) => ok("display", `${id} is there, ${width}x${height}`));
	for (const { id, problem } of refused) {
		const [what = problem, remedy = ""] = problem.split("; ");
		findings.push((none || id === wanted ? failure : warning)("display", what, remedy.replace(/\.$/, "")));
	}
	const isThere = displays.some(({ id }) => id === wanted);
	if (wanted !== null && notAllowed !== null) {
		const [what = "", remedy = ""] = notAllowed.replace(/\.$/, "").split("; ");
		findings.push(failure("display", what, remedy));
	} else if (wanted !== null && !isThere && !refused.some(({ id }) => id === wanted)) {
		findings.push(
			failure("display", `Display ${wanted} is not there`, `start its X server, or set DISPLAY to another one`),
		);
	} else if (none && refused.length === 0) {
		findings.push(failure("display", "There is no X display", "start one, such as Xvfb :99, or set DISPLAY"));
	}
	return findings;
}

/**
 * Captures and encodes a few frames of each, as a recording does.
 * @param isThere asks again whether a display is there: one may go in the meantime, as displays of tests do.
 */
export async function checkCapture(
	displays: readonly SeenDisplay[],
	ffmpeg: { program: string; env: NodeJS.ProcessEnv },
	isThere: (display: SeenDisplay) => Promise<boolean>,
): Promise<Finding[]> {
	const left = [...displays];
	const findings = new Map<SeenDisplay, Finding>();
	const work = async (): Promise<void> => {
		for (let display = left.shift(); display !== undefined; display = left.shift()) {
			const found = await captureOf(display, ffmpeg);
			const hasGone = found.level === "failure" && !(await isThere(display));
			const gone = warning("capture", `${display.id} went away meanwhile`, "start it again, if it is to be recorded");
			findings.set(display, hasGone ? gone : found);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return displays.flatMap((display) => findings.get(display) ?? []);
}

function captureOf(
	{ id, xName, width, height }: SeenDisplay,
	{ program, env }: { program: string; env: NodeJS.ProcessEnv },
): Promise<Finding> {
	const words = [
		...["-hide_banner", "-nostdin", "-nostats", "-f", "x11grab", "-framerate", "15"],
		...["-video_size", `${evenSize(width)}x${evenSize(height)}`, "-i", xName],
		...["-frames:v", "3", "-an", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-f", "null", "-"],
	];
	return new Promise((resolve) => {
		execFile(program, words, { env, timeout: CAPTURE_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, _out, stderr) => {
			if (error === null) return resolve(ok("capture", `ffmpeg captures ${id}`));
			const fault = faultOf(stderr, id, false)?.message.replace(/\.$/, "");
			const [what, remedy = COMPLETE_FFMPEG] = fault?.split("; ") ?? [];
			resolve(
				failure("capture", `ffmpeg cannot capture ${id}: ${what ?? (lastWords(stderr) || error.message)}`, remedy),
			);
		});
	});
}
