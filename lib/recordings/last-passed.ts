/** `GET /v1/recordings/{id}/last-passed`: what a failed recording is compared with. */
import type { LastPassed } from "@tapedeck/contract/failure.ts";
import { repositoryOf } from "@tapedeck/contract/series.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

/** This many earlier recordings of the test are looked at, so that a test that never passes costs no more. */
const LOOKED_AT = 1_000;

/**
 * Returns the last video of the same test that passed before this recording: the last one on the same branch, otherwise the last one
 * on any. The test is the first one that failed in the recording. If none did, or it never passed, the test is the label `test`, or
 * without one the name, of the same repository.
 * @throws not_found
 */
export async function readLastPassed(ctx: Context, recordingId: number): Promise<LastPassed> {
	const row = await findRecording(ctx, recordingId);
	const ofFailure = await lastPassedOfFailure(ctx, row);
	if (ofFailure !== null) {
		const recording = recordingView(ctx, await findRecording(ctx, ofFailure.recordingId));
		return { recording, matchedBy: "test", sameBranch: ofFailure.isSameBranch };
	}
	const labels = readLabels(row);
	const earlier = labels.test === undefined ? passedOfName(row) : recordingsOfTest(row, labels.test);
	const { rows } = await sql<Pick<RecordingRow, "id" | "labels">>`
		select recording.id, labels from recording
		where id in (select id from (${earlier}) as earlier) and outcome = 'passed' and ${isWatchable}
		order by "createdAt" desc, id desc`.execute(ctx.reads);
	const passed = rows
		.map((row) => ({ id: row.id, labels: readLabels(row) }))
		.filter((one) => repositoryOf(one.labels) === repositoryOf(labels));
	const onBranch = passed.find((one) => one.labels.branch === labels.branch);
	const found = onBranch ?? passed[0];
	return {
		recording: found === undefined ? null : recordingView(ctx, await findRecording(ctx, found.id)),
		matchedBy: labels.test === undefined ? "name" : "test",
		sameBranch: onBranch !== undefined,
	};
}

const isWatchable = sql<boolean>`kind = 'video' and state <> 'live' and "deletedAt" is null`;

interface PassedResult {
	recordingId: number;
	isSameBranch: boolean;
}

/** The last result with a video that the recording's first failed test has from before. A failure without a passed retry takes precedence. */
async function lastPassedOfFailure(ctx: Context, recording: RecordingRow): Promise<PassedResult | null> {
	const { id, jobId, organizationId } = recording;
	const failure = await ctx.reads
		.selectFrom("testResult")
		.select(["testId", "startedAt", "branch"])
		.where("organizationId", "=", organizationId)
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? id)
		.where("outcome", "in", ["failed", "error"])
		.orderBy("isFlaky")
		.orderBy("startedAt")
		.orderBy("id")
		.limit(1)
		.executeTakeFirst();
	if (failure === undefined) return null;
	const earlier = sql`select "jobId", "recordingId", branch, "startedAt", id from "testResult"
		where "testId" = ${failure.testId} and outcome = 'passed' and "startedAt" < ${failure.startedAt}
		order by "startedAt" desc, id desc limit ${LOOKED_AT}`;
	const isSameBranch = sql`case when coalesce(passed.branch, '') = ${failure.branch ?? ""} then 1 else 0 end`;
	const { rows } = await sql<{ recordingId: number; isSameBranch: number }>`
		select recording.id as "recordingId", ${isSameBranch} as "isSameBranch"
		from (${earlier}) as passed
		join recording on recording.id = passed."recordingId" or recording."jobId" = passed."jobId"
		where ${isWatchable}
		order by ${isSameBranch} desc, passed."startedAt" desc, passed.id desc limit 1`.execute(ctx.reads);
	const [found] = rows;
	return found === undefined ? null : { recordingId: found.recordingId, isSameBranch: found.isSameBranch === 1 };
}

type Earlier = RawBuilder<{ id: number }>;

const recordingsOfTest = ({ id, organizationId, createdAt }: RecordingRow, test: string): Earlier =>
	sql`select "recordingId" as id from "recordingLabel"
		where "organizationId" = ${organizationId} and key = 'test' and value = ${test}
			and ("createdAt", "recordingId") < (${createdAt}, ${id})
		order by "createdAt" desc, "recordingId" desc limit ${LOOKED_AT}`;

const passedOfName = ({ id, organizationId, name, createdAt }: RecordingRow): Earlier =>
	sql`select id from recording
		where "organizationId" = ${organizationId} and name = ${name} and outcome = 'passed'
			and ("createdAt", id) < (${createdAt}, ${id})
		order by "createdAt" desc, id desc limit ${LOOKED_AT}`;
