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
 * The last recording of the same test that passed before this one, if there is one on the same branch; else the last on
 * any. The test is the label `test`, or without one the name, of the same repository.
 * @throws not_found
 */
export async function readLastPassed(ctx: Context, recordingId: number): Promise<LastPassed> {
	const row = await findRecording(ctx, recordingId);
	const labels = readLabels(row);
	const earlier = labels.test === undefined ? passedOfName(row) : recordingsOfTest(row, labels.test);
	const { rows } = await sql<Pick<RecordingRow, "id" | "labels">>`
		select recording.id, labels from recording
		where id in (select id from (${earlier}) as earlier) and outcome = 'passed' and state <> 'live' and "deletedAt" is null
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
