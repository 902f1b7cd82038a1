/**
 * Parses a runner's reports. A later runner version may send values that this dashboard doesn't know; they must neither
 * block its other reports nor leave a job without an end.
 */
import { faultsOf } from "@tapedeck/contract/faults.ts";
import { FAILED_REASONS, STOP_REASONS } from "@tapedeck/contract/job-status.ts";
import type { Fault } from "@tapedeck/contract/problem.ts";
import { VERDICTS } from "@tapedeck/contract/recording-kinds.ts";
import { type JobReport, jobReportSchema } from "@tapedeck/contract/runner-protocol.ts";
import { VERSION } from "@tapedeck/contract/version.ts";
import * as z from "zod";
import { invalid } from "#lib/core/errors.ts";

/** The longest message of a report. */
const MAX_MESSAGE = 2_000;
/** The name of a note whose event, or whose report's type, is unknown or invalid. */
const UNKNOWN_EVENT = "not_understood";

/** Ends a sentence about a value that only a later runner version knows. */
export const versionMismatch = (runnerVersion: string): string =>
	`this dashboard (version ${VERSION}) does not know and the runner (version ${runnerVersion}) does; update the dashboard`;

/**
 * @param raws the reports of one request.
 * @param runnerVersion the version of the runner that sent them.
 * @throws validation_failed if one cannot be parsed at all.
 */
export function readReports(raws: readonly unknown[], runnerVersion: string): JobReport[] {
	const faults: Fault[] = [];
	const reports = raws.flatMap((raw, index): JobReport[] => {
		const read = jobReportSchema.safeParse(withKnownValues(raw, runnerVersion));
		if (read.success) return [read.data];
		const found = faultsOf(read.error.issues, raw);
		for (const fault of found) faults.push({ ...fault, path: `jobs.${index}.${fault.path}`.replace(/\.$/, "") });
		return [];
	});
	if (faults.length > 0) throw invalid(faults);
	return reports;
}

const anySchema = z.looseObject({ type: z.string().min(1).max(100), message: z.string().optional() });

/** The same report with unknown values replaced by known ones and a message that explains them. */
function withKnownValues(raw: unknown, runnerVersion: string): unknown {
	const report = anySchema.safeParse(raw).data;
	if (report === undefined) return raw;
	const explained = (what: string) =>
		`${report.message ?? ""} The runner reported ${what}, which ${versionMismatch(runnerVersion)}.`
			.trim()
			.slice(-MAX_MESSAGE);
	const isNew = (word: unknown, known: readonly string[]): word is string =>
		typeof word === "string" && !known.includes(word);
	switch (report.type) {
		case "recording":
		case "cancelled":
			return report;
		case "stopped": {
			const { stopReason, verdict, ...rest } = report;
			const seen = isNew(verdict, VERDICTS) ? rest : { ...rest, verdict };
			if (!isNew(stopReason, STOP_REASONS)) return { ...seen, stopReason };
			// Never guess success: a job that is green by mistake would hide a broken recording.
			return { ...seen, stopReason: "not_supported", message: explained(`the stop reason "${stopReason}"`) };
		}
		case "failed":
			if (!isNew(report.code, FAILED_REASONS)) return report;
			return { ...report, code: "not_supported", message: explained(`the failure "${report.code}"`) };
		case "note": {
			const { event, data } = report;
			if (typeof event !== "string" || /^[a-z_]{1,60}$/.test(event)) return report;
			return { ...report, event: UNKNOWN_EVENT, data: { event, data } };
		}
		case "session_started":
		case "session_ended":
		case "command_marker":
		case "command_tests":
		case "command_ended":
		case "capture_stalled":
		case "privacy":
			// A report whose contents only a later version understands is still an entry of the history.
			if (jobReportSchema.safeParse(report).success) return report;
			return asNote(report, report.type, report.message);
		default:
			return asNote(report, UNKNOWN_EVENT, explained(`"${report.type}"`));
	}
}

/** Turns a report that this dashboard does not understand into an entry of the history with its fields. */
function asNote(report: z.infer<typeof anySchema>, event: string, message: string | undefined): unknown {
	const { type: _type, jobId, jobKey, seq, at, message: _message, ...data } = report;
	return { type: "note", jobId, jobKey, seq, at, event, message, data };
}
