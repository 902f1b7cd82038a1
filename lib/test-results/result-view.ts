/** A test result as the API returns it: placed in its video, with the labels of its job or test run. */

import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import {
	MAX_LISTED_STACK_BYTES,
	MAX_LISTED_STEPS,
	type StoredStep,
	type TestResult,
	type TestStep,
} from "@tapedeck/contract/test-result.ts";
import type { Context } from "#lib/core/context.ts";
import { roundedSeconds, timestamp, timestampOrNull } from "#lib/core/times.ts";
import { frameRateOf, readLabels } from "#lib/lifecycle/labels.ts";
import { placeMarker } from "#lib/lifecycle/marker-store.ts";
import { deletedOf } from "#lib/lifecycle/recording-store.ts";
import { countAttachments } from "./attachment-view.ts";
import { titleOf } from "./store/cause/title.ts";
import { readChanges, readSteps, type TestResultRow } from "./store/result-store.ts";

/** @param options.isWhole with all steps and the whole stack; otherwise as a list shows it. */
export async function resultViews(
	ctx: Context,
	rows: readonly TestResultRow[],
	{ isWhole = false }: { isWhole?: boolean } = {},
): Promise<TestResult[]> {
	const jobIds = [...new Set(rows.flatMap(({ jobId }) => jobId ?? []))];
	const uploadIds = [...new Set(rows.flatMap(({ recordingId }) => recordingId ?? []))];
	const recordingColumns = [
		...(["id", "jobId", "labels", "state", "durationSeconds", "video", "createdAt"] as const),
		...(["deletedAt", "purgeAt", "deletedBy", "deletedFor"] as const),
	] as const;
	const recordings = ctx.db.selectFrom("recording").select(recordingColumns);
	const runIds = [...new Set(rows.flatMap(({ testRunId }) => testRunId ?? []))];
	const [jobs, ofJobs, uploads, runs, attached] = await Promise.all([
		jobIds.length === 0
			? []
			: ctx.db.selectFrom("job").select(["id", "labels", "startedAt"]).where("id", "in", jobIds).execute(),
		jobIds.length === 0 ? [] : recordings.where("jobId", "in", jobIds).execute(),
		uploadIds.length === 0 ? [] : recordings.where("id", "in", uploadIds).execute(),
		runIds.length === 0
			? []
			: ctx.db.selectFrom("testRun").select(["id", "labels"]).where("id", "in", runIds).execute(),
		countAttachments(
			ctx,
			"resultId",
			rows.map(({ id }) => id),
		),
	]);
	const runOf = new Map(runs.map((run) => [run.id, run]));
	const jobOf = new Map(jobs.map((job) => [job.id, job]));
	const recordingOfJob = new Map(ofJobs.map((recording) => [recording.jobId, recording]));
	const uploadOf = new Map(uploads.map((recording) => [recording.id, recording]));
	return rows.map((row) => {
		const job = row.jobId === null ? null : (jobOf.get(row.jobId) ?? null);
		const recording = (row.jobId === null ? uploadOf.get(row.recordingId ?? 0) : recordingOfJob.get(row.jobId)) ?? null;
		const startedAt = job === null ? (recording?.createdAt ?? null) : job.startedAt;
		const video = {
			jobId: 0,
			startedAt,
			durationSeconds: recording === null || recording.state === "live" ? null : recording.durationSeconds,
			framesPerSecond: recording === null ? null : frameRateOf(recording),
		};
		const { offsetSeconds, clampedTo } = placeMarker(row.startedAt, video);
		const stored = readSteps(row.steps);
		const shown = isWhole ? { steps: stored, leftOut: 0 } : firstSteps(stored, MAX_LISTED_STEPS);
		const isDeleted = recording === null || recording.deletedAt !== null;
		return {
			id: row.id,
			jobId: row.jobId,
			testRunId: row.testRunId,
			recordingId: isDeleted ? null : recording.id,
			testId: row.testId,
			key: row.key,
			test: row.name,
			suite: row.suite,
			file: row.file,
			line: row.line,
			project: row.project === "" ? null : row.project,
			attempt: row.attempt,
			outcome: row.outcome,
			startedAt: timestamp(row.startedAt),
			endedAt: timestampOrNull(row.endedAt),
			offsetSeconds: offsetSeconds === null ? null : roundedSeconds(offsetSeconds),
			clampedTo,
			isApproximate: row.isApproximate === 1,
			durationSeconds: row.endedAt === null ? null : (row.endedAt - row.startedAt) / 1_000,
			failureOffsetSeconds: row.momentAt === null ? null : placed(row.momentAt, video),
			message: row.message,
			reason: isFailure(row.outcome) ? titleOf({ ...row, test: row.name }) : null,
			stack: isWhole || row.stack === null ? row.stack : sanitizeMessage(row.stack, MAX_LISTED_STACK_BYTES),
			steps: shown.steps.map((step) => stepView(step, video)),
			stepsLeftOut: row.stepsLeftOut + shown.leftOut,
			cause: row.cause,
			screen: row.screen,
			hasFrame: row.hasFrame === 1,
			attachmentCount: attached.get(row.id) ?? 0,
			flaky: row.isFlaky === 1,
			new: row.isNew === 1 && isFailure(row.outcome),
			labels: readLabels(job ?? runOf.get(row.testRunId ?? 0) ?? recording ?? { labels: "{}" }),
			changes: readChanges(row).map(({ at, outcome }) => ({ at: timestamp(at), outcome })),
			deletedRecording: recording === null ? null : deletedOf(recording),
		};
	});
}

type Video = Parameters<typeof placeMarker>[1];

function placed(at: number, video: Video): number | null {
	const { offsetSeconds } = placeMarker(at, video);
	return offsetSeconds === null ? null : roundedSeconds(offsetSeconds);
}

const stepView = (step: StoredStep, video: Video): TestStep => ({
	title: step.title,
	category: step.category,
	outcome: step.outcome,
	message: step.message,
	offsetSeconds: step.startedAt === null ? null : placed(step.startedAt, video),
	durationSeconds: step.durationMs === null ? null : step.durationMs / 1_000,
	steps: step.steps.map((step) => stepView(step, video)),
});

/** The first steps, those within others included, and how many there are behind them. */
function firstSteps(steps: readonly StoredStep[], max: number): { steps: StoredStep[]; leftOut: number } {
	let left = max;
	let leftOut = 0;
	const take = (steps: readonly StoredStep[]): StoredStep[] =>
		steps.flatMap((step) => {
			if (left === 0) {
				leftOut += 1 + countOf(step.steps);
				return [];
			}
			left -= 1;
			return [{ ...step, steps: take(step.steps) }];
		});
	return { steps: take(steps), leftOut };
}

const countOf = (steps: readonly StoredStep[]): number => steps.reduce((sum, step) => sum + 1 + countOf(step.steps), 0);
