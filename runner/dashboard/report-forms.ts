/** The forms in which a report can be sent: as it is, and with less in it when the dashboard refuses that. */
import { isFailedReason } from "#lib/contract/job.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";

/** Long enough for what happened and the remedy. */
const SHORT = 500;

/** Printable ASCII: what nobody has a reason to refuse. */
const plain = (message: string): string => message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, SHORT);

/** Says under which word a report would have come. */
const instead = (word: string, message: string | undefined): string =>
	plain(`The runner reported "${word}", which the dashboard refused. ${message ?? ""}`.trim());

/** @returns the report as it is and then shorter ones; the last one still says that, when and how the job ended. */
export function formsOf(report: JobReport): [JobReport, ...JobReport[]] {
	switch (report.type) {
		case "recording":
		case "cancelled":
			return [report];
		case "stopped": {
			const { data: _data, verdict: _verdict, message, ...rest } = report;
			// Both are as old as the protocol.
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
		case "note": {
			const { data: _data, ...rest } = report;
			return [report, { ...rest, message: plain(report.message) }];
		}
	}
}
