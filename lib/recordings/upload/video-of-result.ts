/** A video that shows a result of a test run, such as the one that Playwright records of a headless browser. */
import type { Labels } from "@tapedeck/contract/labels.ts";
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { noteReport } from "#lib/test-results/store/note-report.ts";
import { WITHOUT_FRAME } from "#lib/test-results/store/result-store.ts";

/** Clocks of machines differ by so much. */
const TOLERANCE_MS = 60_000;

export interface ShownResult {
	id: number;
	testRunId: number;
	startedAt: number;
	endedAt: number | null;
	outcome: Outcome | null;
	/** Labels of its run. */
	labels: Labels;
}

/** @throws not_found; conflict if it has a video, or is not a test run's. */
export async function findShownResult(ctx: Context, resultId: number): Promise<ShownResult> {
	const row = await ctx.db
		.selectFrom("testResult")
		.leftJoin("testRun", "testRun.id", "testResult.testRunId")
		.leftJoin("recording", "recording.id", "testResult.recordingId")
		.select(["testResult.id", "testResult.testRunId", "testResult.startedAt", "testResult.endedAt"])
		.select(["testResult.outcome", "testRun.labels", "recording.id as recordingId", "recording.deletedAt"])
		.where("testResult.id", "=", resultId)
		.where("testResult.organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("test result");
	const { testRunId, labels, recordingId, deletedAt, ...result } = row;
	if (testRunId === null || labels === null) {
		const why = "This result belongs to a recording already: that of its job, or an uploaded one.";
		throw new TapedeckError("conflict", `${why} Only results of test runs can get a video.`);
	}
	if (recordingId !== null && deletedAt === null) throw hasVideo(recordingId);
	return { ...result, testRunId, labels: readLabels({ labels }) };
}

const hasVideo = (recordingId: number): TapedeckError =>
	new TapedeckError("conflict", `This result has a video: recording ${recordingId}. Delete that one first.`);

/** @throws validation_failed at `startedAt` if it is in the future. */
export function assertPast({ clock }: Context, startedAt: number | undefined): void {
	if (startedAt === undefined || startedAt <= clock.now() + TOLERANCE_MS) return;
	const message = `Send startedAt as a time in the past. It is ${timestamp(clock.now())} by the dashboard's clock.`;
	throw invalid({ path: "startedAt", code: "custom", message });
}

/** @throws validation_failed at `startedAt` if the video ends before the test began, or begins after it ended. */
export function assertShows(result: ShownResult, startedAt: number, durationSeconds: number): void {
	const endedAt = startedAt + durationSeconds * 1_000;
	const isBefore = endedAt + TOLERANCE_MS < result.startedAt;
	const isAfter = startedAt - TOLERANCE_MS > (result.endedAt ?? Number.POSITIVE_INFINITY);
	if (!isBefore && !isAfter) return;
	const when = isBefore ? "ends before the test began" : "begins after the test ended";
	const message = `The video ${when}, at ${timestamp(isBefore ? result.startedAt : (result.endedAt ?? 0))}. Send startedAt as the time of its first frame.`;
	throw invalid({ path: "startedAt", code: "custom", message });
}

/**
 * Reads a result again, with its run locked: of two videos at once one is refused, and the outcome stays until `attachVideo`. Call it
 * first in the transaction that makes the video's recording ready.
 * @throws not_found; conflict if it has got another one in the meantime.
 */
export async function lockShownResult(ctx: Context, { id, testRunId }: ShownResult): Promise<ShownResult> {
	await noteReport(ctx, testRunId);
	return findShownResult(ctx, id);
}

/** Makes a recording the video of a locked result. */
export async function attachVideo({ db }: Context, { id, outcome }: ShownResult, recordingId: number): Promise<void> {
	await db
		.updateTable("testResult")
		.set({ recordingId, screen: null, hasFrame: isFailure(outcome) ? 0 : WITHOUT_FRAME })
		.where("id", "=", id)
		.execute();
}
