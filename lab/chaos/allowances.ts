/** Tolerances for the faults that struck a job: the spans that may be missing, and the time at which it must end. */
import { type JobFault, outcomeOf } from "./check-outcome.ts";
import type { Span } from "./check-recording.ts";
import {
	BUSY,
	CRASH_BEFORE,
	GO_ON_AFTER,
	HANG_NOTICED_AFTER,
	IDLE_LEAST,
	IDLE_MOST,
	KILL_BEFORE,
	RECONNECT,
} from "./rules.ts";
import { type JobRecord, sinceEpoch } from "./run-record.ts";

/** Stretches that may be missing from a job's recording. */
export function allowedGaps(faults: readonly JobFault[]): Span[] {
	return faults.flatMap(({ kind, struck, from, to }): Span[] => {
		if (!struck) return [];
		switch (kind) {
			case "kill_ffmpeg":
				return [{ from: from - KILL_BEFORE, to: from + GO_ON_AFTER + BUSY }];
			case "freeze_ffmpeg":
				return [{ from: from - KILL_BEFORE, to: from + HANG_NOTICED_AFTER + GO_ON_AFTER + BUSY }];
			case "kill_runner_and_ffmpeg":
				return [{ from: from - CRASH_BEFORE, to: Infinity }];
			case "pause_runner_and_ffmpeg":
				return [{ from, to: to + BUSY }];
			case "fill_runner_disk":
				return [{ from: from - CRASH_BEFORE, to: to + BUSY }];
			default:
				return [];
		}
	});
}

/** Faults that prevent a runner from receiving or executing a request. */
const BLOCKS_CANCEL = [
	"kill_runner",
	"terminate_runner",
	"pause_runner_and_ffmpeg",
	"kill_dashboard",
	"terminate_dashboard",
	"stall",
	"drop",
	"reset",
	"half_close",
];
/** Faults that keep a runner from watching its grid. */
const BLOCKS_POLLING = ["kill_runner", "pause_runner_and_ffmpeg"];

/** When a request made at `asked` must have been carried out, given the faults that blocked it. */
function doneBy(asked: number, lag: number, faults: readonly JobFault[], kinds: readonly string[]): number {
	let by = asked + lag;
	for (const fault of [...faults].sort((a, b) => a.from - b.from)) {
		if (kinds.includes(fault.kind) && fault.from <= by && fault.to + RECONNECT > by) by = fault.to + RECONNECT + lag;
	}
	return by;
}

/** Between which instants the last frame has to be. */
export function endOf(job: JobRecord, faults: readonly JobFault[], epoch: number): Span {
	const started = sinceEpoch(epoch, job.final?.startedAt ?? null) ?? job.createdAt;
	const struckAt = (kind: string) => faults.find((fault) => fault.kind === kind && fault.struck);
	switch (outcomeOf(job)) {
		case "duration_elapsed": {
			const end = started + job.plan.seconds * 1_000;
			return { from: end, to: end + BUSY };
		}
		case "cancelled": {
			const { asked, answered } = job.cancel ?? { asked: started, answered: started };
			return { from: asked, to: doneBy(answered, BUSY, faults, BLOCKS_CANCEL) };
		}
		case "selenium_idle": {
			const idle = job.idleFrom ?? started;
			// A runner that was started again, or a recording that began late, sees its first zero then.
			const seen = Math.max(idle, started);
			return { from: idle + IDLE_LEAST, to: doneBy(seen, IDLE_MOST + BUSY, faults, BLOCKS_POLLING) };
		}
		case "runner_shutdown": {
			const at = struckAt("terminate_runner")?.from ?? started;
			return { from: at, to: at + BUSY };
		}
		case "ffmpeg_failed": {
			const at = struckAt("kill_runner_and_ffmpeg")?.from ?? started;
			return { from: at, to: at + BUSY };
		}
		case "storage_full": {
			// A disk that was full while the job was queued did not end its recording.
			const fault = struckAt("fill_runner_disk") ?? faults.find(({ kind }) => kind === "fill_runner_disk");
			return { from: fault?.from ?? started, to: (fault?.to ?? started) + BUSY };
		}
		default:
			return { from: started, to: Infinity };
	}
}
