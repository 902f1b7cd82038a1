/** The tool that finds recordings, test results and jobs by the search language. */
import { aboutFailure, aboutTime } from "@tapedeck/contract/about-time.ts";
import { type Job, listJobsQuerySchema } from "@tapedeck/contract/job.ts";
import { listRecordingsQuerySchema, type Recording } from "@tapedeck/contract/recording.ts";
import { listTestResultsQuerySchema, type TestResult } from "@tapedeck/contract/test-result.ts";
import * as z from "zod";
import { listJobs } from "#lib/jobs/list-jobs.ts";
import { listRecordings } from "#lib/recordings/list-recordings.ts";
import { oneLine } from "#lib/test-results/digest-text.ts";
import { listResults } from "#lib/test-results/list-results.ts";
import { assertMay, DATA_NOTE, parseInput, tool } from "./tool.ts";

const KINDS = ["recordings", "tests", "jobs"] as const;
const MAX_FOUND = 50;
const LIMIT = `Send limit as a whole number from 1 to ${MAX_FOUND}.`;

export const find = tool({
	name: "find",
	description:
		"Find recordings, test results or jobs, newest first. q has words and filters: outcome:failed branch:main build:12 test:login label:agent message:timeout flaky:yes new:yes after:2026-11-01 -outcome:passed",
	isReadOnly: true,
	input: z.strictObject({
		q: z.string().optional(),
		in: z.enum(KINDS, { error: `Send in as one of ${KINDS.join(", ")}.` }).default("recordings"),
		limit: z.int({ error: LIMIT }).min(1, { error: LIMIT }).max(MAX_FOUND, { error: LIMIT }).default(10),
		cursor: z.string().optional(),
	}),
	async run(call, { q, in: kind, limit, cursor }) {
		assertMay(call, kind === "jobs" ? "jobs:read" : "recordings:read");
		const { ctx } = call;
		const query = { q, cursor, limit: String(limit) };
		const search = async (): Promise<{ lines: string[]; nextCursor: string | null }> => {
			switch (kind) {
				case "recordings": {
					const page = await listRecordings(ctx, parseInput(listRecordingsQuerySchema, query));
					return { ...page, lines: page.data.map((each) => recordingLine(ctx.baseUrl, each)) };
				}
				case "tests": {
					const page = await listResults(ctx, parseInput(listTestResultsQuerySchema, query));
					return { ...page, lines: page.data.map(resultLine) };
				}
				case "jobs": {
					const page = await listJobs(ctx, parseInput(listJobsQuerySchema, query));
					return { ...page, lines: page.data.map((each) => jobLine(ctx.baseUrl, each)) };
				}
			}
		};
		const { lines, nextCursor } = await search();
		if (lines.length === 0) return { text: [`No ${kind} match.`] };
		const more = nextCursor === null ? "" : `More with cursor: ${nextCursor}`;
		return { text: [DATA_NOTE, lines.join("\n"), more] };
	},
});

const recordingLine = (baseUrl: string, { id, name, outcome, createdAt, durationSeconds, state }: Recording): string =>
	`recording ${id}: ${JSON.stringify(oneLine(name, 120))}, ${outcome ?? "no outcome"}, ${state === "live" ? "recording" : `${durationSeconds} s`}, ${createdAt}, ${baseUrl}/recordings/${id}`;

const resultLine = ({ id, test, outcome, startedAt, reason, flaky, recordingId, ...result }: TestResult): string =>
	[
		`result ${id}: ${JSON.stringify(oneLine(test, 160))}, ${outcome ?? "running"}${flaky ? ", flaky" : ""}${result.new ? ", new" : ""}, ${aboutTime(result, startedAt)}`,
		...(recordingId === null ? [] : [`recording ${recordingId}`]),
		...[aboutFailure(result)].filter((about) => about !== null),
		...(reason === null ? [] : [JSON.stringify(oneLine(reason, 160))]),
	].join(", ");

const jobLine = (baseUrl: string, { id, name, status, outcome, displayId, createdAt, recording }: Job): string =>
	`job ${id}: ${JSON.stringify(oneLine(name, 120))}, ${status}, ${outcome ?? "no outcome"}, ${displayId}, ${createdAt}, ${recording?.url ?? `${baseUrl}/jobs/${id}`}`;
