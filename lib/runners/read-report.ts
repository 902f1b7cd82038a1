/**
 * Reads what a runner reports. A runner of a later version may say what this dashboard has no word for: that must
 * neither hold up its other reports nor leave a job without an end.
 */
import * as z from "zod";
import { faultsOf } from "../contract/faults.ts";
import { FAILED_REASONS, STOP_REASONS } from "../contract/job.ts";
import type { Fault } from "../contract/problem.ts";
import { VERDICTS } from "../contract/recording-kinds.ts";
import { type JobReport, jobReportSchema } from "../contract/runner-protocol.ts";
import { VERSION } from "../contract/version.ts";
import { invalid } from "../core/errors.ts";

/** As long as a report's message may be. */
const MAX_MESSAGE = 2_000;
/** What a note is called whose own event, or whose report's type, has no name that can be kept. */
const UNKNOWN_EVENT = "not_understood";

/** Ends a sentence about something that only a later runner knows. */
export const versionsInWords = (runnerVersion: string): string =>
	`this dashboard (version ${VERSION}) does not know and the runner (version ${runnerVersion}) does; update the dashboard`;

/**
 * @param raws the reports of one call.
 * @param runnerVersion of the runner that sent them.
 * @throws validation_failed when one cannot be read at all.
 */
export function readReports(raws: readonly unknown[], runnerVersion: string): JobReport[] {
	const faults: Fault[] = [];
	const reports = raws.flatMap((raw, index): JobReport[] => {
		const read = jobReportSchema.safeParse(inKnownWords(raw, runnerVersion));
		if (read.success) return [read.data];
		const found = faultsOf(read.error.issues, raw);
		for (const fault of found) faults.push({ ...fault, path: `jobs.${index}.${fault.path}`.replace(/\.$/, "") });
		return [];
	});
	if (faults.length > 0) throw invalid(faults);
	return reports;
}

const anySchema = z.looseObject({ type: z.string().min(1).max(100), message: z.string().optional() });

/** The same report, with what this version does not know in words of its own. */
function inKnownWords(raw: unknown, runnerVersion: string): unknown {
	const report = anySchema.safeParse(raw).data;
	if (report === undefined) return raw;
	const explained = (what: string) =>
		`${report.message ?? ""} The runner reported ${what}, which ${versionsInWords(runnerVersion)}.`
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
			// Whether that is a good end is not known: a job that is green by mistake would hide a broken recording.
			return { ...seen, stopReason: "not_supported", message: explained(`the end "${stopReason}"`) };
		}
		case "failed":
			if (!isNew(report.code, FAILED_REASONS)) return report;
			return { ...report, code: "not_supported", message: explained(`the failure "${report.code}"`) };
		case "note": {
			const { event, data } = report;
			if (typeof event !== "string" || /^[a-z_]{1,60}$/.test(event)) return report;
			return { ...report, event: UNKNOWN_EVENT, data: { event, data } };
		}
		default: {
			const { type, jobId, jobKey, seq, at, message: _message, ...data } = report;
			return { type: "note", jobId, jobKey, seq, at, event: UNKNOWN_EVENT, message: explained(`"${type}"`), data };
		}
	}
}
