/** The forms in which a report can be sent: unchanged first, then reduced in case the dashboard refuses it. */
import { isFailedReason } from "@tapedeck/contract/job-status.ts";
import type { JobReport } from "@tapedeck/contract/runner-protocol.ts";

/** Message length in characters; enough for what happened and the remedy. */
const SHORT = 500;

/** Printable ASCII, which no dashboard has a reason to refuse. */
const plain = (message: string): string => message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, SHORT);

/** Names the reason or code that the dashboard refused. */
const instead = (word: string, message: string | undefined): string =>
	plain(`The runner reported "${word}", which the dashboard refused. ${message ?? ""}`.trim());

/** @returns the report, then shorter ones; even the last one says when and how the job ended. */
export function formsOf(report: JobReport): [JobReport, ...JobReport[]] {
	switch (report.type) {
		case "recording":
		case "cancelled":
			return [report];
		case "stopped": {
			const { data: _data, verdict: _verdict, message, ...rest } = report;
			// Every dashboard knows these two: they are as old as the protocol.
			const stopReason = isFailedReason(report.stopReason) ? "ffmpeg_failed" : "runner_shutdown";
			return [
				report,
				{ ...rest, ...(message === undefined ? {} : { message: plain(message) }) },
				{ ...rest, stopReason, message: instead(report.stopReason, message) },
			];
		}
		case "failed": {
			const { code, message } = report;
			return [
				report,
				{ ...report, message: plain(message) },
				{ ...report, code: "ffmpeg_failed", message: instead(code, message) },
			];
		}
		case "session_started":
		case "session_ended":
		case "command_marker":
		case "command_tests":
		case "command_ended":
		case "capture_stalled":
		case "privacy":
		case "note": {
			const { jobId, jobKey, seq, at, message } = report;
			const event = report.type === "note" ? report.event : report.type;
			return [report, { type: "note", jobId, jobKey, seq, at, event, message: plain(message) }];
		}
	}
}
