/** Checks that there are displays, and that ffmpeg can capture them. */
import type { Fault } from "../base/fault.ts";
import { type CaptureFault, DOCTOR } from "../capture/capture-fault.ts";
import { type TriedCapture, tryCapture } from "../capture/try-capture.ts";
import type { DisplayList, OpenDisplay, RecordableDisplay } from "../displays/displays.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

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
 * Records each for a moment.
 * @param open opens a display again before each attempt: displays of tests often end in the meantime, and another X
 * server takes their number. Null if it is gone.
 */
export async function checkCapture(
	displays: readonly OpenDisplay[],
	tried: TriedCapture,
	open: (display: OpenDisplay) => Promise<RecordableDisplay | null>,
): Promise<Finding[]> {
	const left = [...displays];
	const findings = new Map<OpenDisplay, Finding>();
	const attempt = async (display: OpenDisplay) => {
		const opened = await open(display);
		return opened === null ? "gone" : tryCapture(opened, tried);
	};
	const work = async (): Promise<void> => {
		for (let display = left.shift(); display !== undefined; display = left.shift()) {
			const first = await attempt(display);
			findings.set(display, findingOf(display, first === null ? null : await attempt(display)));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return displays.flatMap((display) => findings.get(display) ?? []);
}

function findingOf({ id }: OpenDisplay, fault: CaptureFault | "gone" | null): Finding {
	if (fault === null) return ok("capture", `ffmpeg captures ${id}`);
	if (fault === "gone") {
		return warning("capture", `${id} disappeared during the check`, "start it again if you want to record it");
	}
	const remedy = fault.remedy === DOCTOR ? COMPLETE_FFMPEG : fault.remedy;
	return failure("capture", `ffmpeg can't capture ${id}: ${fault.what}`, remedy);
}
