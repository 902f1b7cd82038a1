/** Why a capture failed. ffmpeg's standard error says it; its exit status does not: it is 0 when the display dies. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FailedReason } from "@tapedeck/contract/job-status.ts";
import { errorMessage, type Fault } from "../base/fault.ts";
import { refusalIn } from "../displays/x11-refusal.ts";
import { type StopDecision, stopFor } from "../spool/spool.ts";

type CaptureFaultCode = Extract<
	FailedReason,
	"display_unavailable" | "display_lost" | "storage_full" | "ffmpeg_failed"
>;
export interface CaptureFault extends Fault<CaptureFaultCode> {
	/** The screen is smaller than requested; a capture with its new size can succeed. */
	shrunk?: true;
}

const STORAGE_FULL: CaptureFault = {
	code: "storage_full",
	what: "The disk of the runner's data directory is full",
	remedy: "free some space on it, or set TAPEDECK_DATA_DIR to a folder on a larger one",
};

/** A remedy that tries a recording, and so finds faults of ffmpeg or the display. */
export const DOCTOR = "run `tapedeck doctor` on the runner's machine, which tries to record the display";

const STORAGE = /No space left on device|Disk quota exceeded|File too large/;
const UNAVAILABLE =
	/Cannot open display|Authorization required|Invalid MIT-MAGIC-COOKIE|Can't open X display|Maximum number of clients/i;
const SHRUNK = /Capture area \S+ at position \S+ outside the screen size|Cannot get the image data/;
const LOST = /Failed to query xcb pointer|Cannot get the image data|Generic error in an external library/;

/** Lines that ffmpeg also prints when nothing is wrong. */
const HARMLESS =
	/not enough frames to estimate|deprecated pixel format|-vsync is deprecated|Thread message queue blocking|^\s|^frame=|^video:|^Press /;

/** Lines that only say that something failed, after the line that says why. */
const GENERIC =
	/^(Error (opening (in|out)put|while opening|initializing|parsing|splitting|sending|submitting|reinitializing)|Conversion failed|Task finished with error|Terminating thread|Could not open encoder|Nothing was written)/;

/** Lines that describe an input or an output. They come before errors, but are none. */
const DESCRIPTION = /^((In|Out)put #|Stream mapping|using cpu capabilities|profile |264 - core )/;

/**
 * ffmpeg's own error message: the last line that is not harmless, preceded by the line with the reason if that is
 * another one.
 */
export function errorLineOf(stderr: string): string {
	const lines = stderr
		.split(/\r?\n/)
		.filter((line) => line.trim() !== "" && !HARMLESS.test(line))
		.map((line) => line.replace(/^(\[[^\]]*\] )+/, "").trim());
	const last = lines.at(-1) ?? "";
	if (!GENERIC.test(last)) return last;
	const why = lines.findLast((line) => !GENERIC.test(line) && !DESCRIPTION.test(line));
	return why === undefined ? last : `${why} ${last}`;
}

/** Whether ffmpeg says that a signal ended it. */
export const endedBySignal = (stderr: string): boolean => /Exiting normally, received signal \d+/.test(stderr);

/**
 * @param started whether the first frame had been captured.
 * @returns null when standard error names no known fault.
 */
export function faultOf(stderr: string, displayId: string, started: boolean): CaptureFault | null {
	if (STORAGE.test(stderr)) return STORAGE_FULL;
	if (UNAVAILABLE.test(stderr)) {
		const refusal = refusalIn(stderr);
		return {
			code: "display_unavailable",
			what: `Display ${displayId} ${refusal?.what ?? "can't be opened"}`,
			remedy: refusal?.remedy ?? "start it, and check that the runner may use it (XAUTHORITY)",
		};
	}
	if (!started && SHRUNK.test(stderr)) {
		return {
			code: "display_unavailable",
			what: `Display ${displayId} was resized while the recording was starting`,
			remedy: "start the job again",
			shrunk: true,
		};
	}
	if (!LOST.test(stderr)) return null;
	return started
		? {
				code: "display_lost",
				what: `Display ${displayId} disappeared or changed during the recording`,
				remedy: "keep its X server running until the job has ended",
			}
		: {
				code: "display_unavailable",
				what: `Display ${displayId} disappeared before its first frame`,
				remedy: "start it again",
			};
}

/** The fault of an ffmpeg that ended on its own without naming a known one. @param exit its signal or status. */
export function unknownFault(stderr: string, exit: string): CaptureFault {
	const line = errorLineOf(stderr);
	return {
		code: "ffmpeg_failed",
		what: `ffmpeg ended unexpectedly (${exit})${line === "" ? " and said nothing" : `: ${line.slice(0, 500)}`}`,
		remedy: DOCTOR,
	};
}

/** The number of frames captured in this many seconds, and their size. */
export interface CapturedFrames {
	frames: number;
	seconds: number;
	width: number;
	height: number;
}

/** The fault of a capture whose frames come too late to be a recording. */
export function slowFault(displayId: string, { frames, seconds, width, height }: CapturedFrames): CaptureFault {
	const rate = (frames / seconds).toFixed(1);
	return {
		code: "ffmpeg_failed",
		what: `Recording display ${displayId} (${width}x${height}) is too slow: ${rate} frames a second`,
		remedy: "record a smaller display or a region of it, or give the runner's machine less to do at the same time",
	};
}

/** The instant of the first frame as ffmpeg prints it, in ms since 1970; null before it has started to write. */
export function firstFrameAt(stderr: string): number | null {
	if (!stderr.includes("Output #0")) return null;
	const seconds = /, start: (\d+\.\d+)/.exec(stderr)?.[1];
	return seconds === undefined ? null : Math.round(Number(seconds) * 1_000);
}

/** The number of bytes that ffmpeg writes at once. */
const PROBE_BYTES = 32 << 10;

/**
 * Whether the disk is full: ffmpeg often can't even write down that this is why it ended.
 * @returns the fault when nothing more can be written into the folder; otherwise null.
 */
export async function fullDisk(folder: string): Promise<CaptureFault | null> {
	const probe = join(folder, "probe");
	try {
		await writeFile(probe, Buffer.alloc(PROBE_BYTES));
		return null;
	} catch (error) {
		return isDiskFull(error) ? STORAGE_FULL : null;
	} finally {
		await rm(probe, { force: true }).catch(() => undefined);
	}
}

const isDiskFull = (error: unknown): boolean =>
	["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** The fault of a capture that could not be started. @param error of the spool, or of the process. */
export function startFault(error: unknown): CaptureFault {
	const code = (error as NodeJS.ErrnoException).code ?? "";
	if (isDiskFull(error) || code === "EROFS") {
		return {
			code: "storage_full",
			what: `The recording can't be written to the runner's data directory (${code})`,
			remedy: "free some space on its disk, or set TAPEDECK_DATA_DIR",
		};
	}
	return {
		code: "ffmpeg_failed",
		what: `ffmpeg could not be started (${errorMessage(error)})`,
		remedy: DOCTOR,
	};
}

export interface CaptureOutcome {
	displayId: string;
	stderr: string;
	/** Whether a first frame was captured. */
	started: boolean;
	/** Why the recording has ended, when it was captured to its last frame; null if it was not, or has no limit. */
	whole: StopDecision | null;
}

/** The reason for the end of a capture that was not requested, such as while no runner ran to continue it. */
export function endReasonOf(outcome: CaptureOutcome): StopDecision {
	if (outcome.whole !== null) return outcome.whole;
	const fault = faultOf(outcome.stderr, outcome.displayId, outcome.started);
	return stopFor(
		fault ?? {
			code: "ffmpeg_failed",
			what: `The recording was interrupted: the runner was killed, and its ffmpeg had ended before it was started again. ${outcome.started ? "What was captured is kept" : "Nothing was captured"}`,
			remedy: "stop the runner with SIGTERM, so that recordings end properly",
		},
	);
}

/**
 * The reason for the end of a recording that the runner itself could not continue. @param error the thrown error, such
 * as a disk's.
 */
export function endReasonOfError(error: unknown): StopDecision {
	if (isDiskFull(error)) return stopFor(STORAGE_FULL);
	return stopFor({
		code: "ffmpeg_failed",
		what: `The runner could not continue the recording (${errorMessage(error)})`,
		remedy: "check the disk of its data directory: what was captured is kept there, and uploaded once it can be read",
	});
}
