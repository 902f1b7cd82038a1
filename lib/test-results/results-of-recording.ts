/** Results of the tests of one recording. */
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { Context } from "#lib/core/context.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { resultViews } from "./result-view.ts";

/** More results than these of a recording are not looked at. */
const LOOKED_AT = 1_000;

/** Returns the results with all their steps, by time. */
export async function resultsOfRecording(
	ctx: Context,
	{ id, jobId }: Pick<RecordingRow, "id" | "jobId">,
): Promise<TestResult[]> {
	const rows = await ctx.db
		.selectFrom("testResult")
		.selectAll()
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? id)
		.orderBy("startedAt")
		.orderBy("id")
		.limit(LOOKED_AT)
		.execute();
	return resultViews(ctx, rows, { isWhole: true });
}

/** The first one whose failure the video shows. */
export const failedIn = (results: readonly TestResult[]): TestResult | undefined =>
	results.find(({ outcome, failureOffsetSeconds }) => isFailure(outcome) && failureOffsetSeconds !== null);
