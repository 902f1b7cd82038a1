/** Lines of tracks, which are sent in calls of limited size. */
import type { DashboardClock } from "./dashboard-clock.ts";
import type { TrackLine } from "./openapi.ts";

/** A line of a track. */
export interface ReportedLine {
	/**
	 * The time of the line; now without `at` and `offsetMs`. A Date is a time of this machine's clock. As text, it is a
	 * time of the dashboard's clock, as in its responses.
	 */
	at?: Date | string;
	/** Replaces `at`: milliseconds from the first frame. */
	offsetMs?: number;
	/** The line, which may contain terminal colors. Text beyond 16 KiB is cut. */
	text: string;
	level?: TrackLine["level"];
	data?: Readonly<Record<string, unknown>> | null;
}

export const NDJSON = "application/x-ndjson";
/** The maximum size of one call, in characters. */
const MAX_BATCH = 500_000;

/** Lines as calls take them, as NDJSON. */
export function* batchesOfLines(lines: Iterable<ReportedLine>, clock: DashboardClock): Generator<string> {
	let batch = "";
	for (const line of lines) {
		const json = `${JSON.stringify(withTime(line, clock))}\n`;
		if (batch !== "" && batch.length + json.length > MAX_BATCH) {
			yield batch;
			batch = "";
		}
		batch += json;
	}
	if (batch !== "") yield batch;
}

function withTime({ at, offsetMs, ...line }: ReportedLine, clock: DashboardClock): object {
	if (offsetMs !== undefined) return { offsetMs, ...line };
	return { at: typeof at === "string" ? at : clock.timeOf(at ?? new Date()).toISOString(), ...line };
}
