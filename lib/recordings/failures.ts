/** `GET /v1/failures`: what failed, the last first. Triggers keep the list. */
import type { Failure, ListFailuresQuery } from "@tapedeck/contract/failure.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import type { FailureTable } from "#lib/db/schema.ts";
import { jobError } from "#lib/lifecycle/job-store.ts";
import { frameRateOf, readLabels } from "#lib/lifecycle/labels.ts";
import { deletedOf } from "#lib/lifecycle/recording-store.ts";
import { findPage, isOfOrganization } from "#lib/search/find.ts";
import { failMarkersOf } from "./fail-markers.ts";
import { recordingView } from "./recording-view.ts";

/** @throws validation_failed at `cursor` */
export function listFailures(ctx: Context, asked: ListFailuresQuery): Promise<Page<Failure>> {
	return findPage(ctx, asked, {
		table: "failure",
		isSearched: false,
		sorting: { by: "failedAt", order: "desc" },
		source: ({ failedAfter, failedBefore }) => ({
			reads: [{ table: "failure", id: "id", where: [isOfOrganization(ctx, "failure")] }],
			has: "indexed",
			stretches: [{ above: failedAfter, below: failedBefore }],
			filters: [],
		}),
		rows: (db, ids) =>
			db
				.selectFrom("failure")
				.selectAll()
				.where("id", "in", ids)
				.orderBy("failedAt", "desc")
				.orderBy("id", "desc")
				.execute(),
		view: (rows) => viewsOf(ctx, rows),
	});
}

type FailureRow = Selectable<FailureTable>;
const JOB_COLUMNS = [
	...(["id", "name", "runnerId", "status", "stopReason", "errorMessage"] as const),
	...(["labels", "outcome", "startedAt"] as const),
] as const;

async function viewsOf(ctx: Context, failures: readonly FailureRow[]): Promise<Failure[]> {
	const jobIds = failures.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
	const ids = failures.flatMap(({ recordingId }) => (recordingId === null ? [] : [recordingId]));
	// Not by organization, which their failures have: SQLite would read all its recordings.
	const recordings = ctx.db.selectFrom("recording").selectAll();
	const [jobs, ofJobs, uploaded] = await Promise.all([
		jobIds.length === 0 ? [] : ctx.db.selectFrom("job").select(JOB_COLUMNS).where("id", "in", jobIds).execute(),
		jobIds.length === 0 ? [] : recordings.where("jobId", "in", jobIds).execute(),
		ids.length === 0 ? [] : recordings.where("id", "in", ids).execute(),
	]);
	const jobOf = new Map(jobs.map((job) => [job.id, job]));
	const recordingOf = new Map([...ofJobs, ...uploaded].map((row) => [row.jobId ?? `upload ${row.id}`, row]));
	const found = failures.flatMap((failure) => {
		const job = failure.jobId === null ? null : (jobOf.get(failure.jobId) ?? null);
		const recording = recordingOf.get(failure.jobId ?? `upload ${failure.recordingId}`) ?? null;
		const named = recording ?? job;
		// Otherwise deleted since the failures were read.
		return named === null ? [] : [{ failure, job, recording, named }];
	});
	const markers = await failMarkersOf(
		ctx,
		found.map(({ failure, job, recording }) => ({
			...failure,
			startedAt: job?.startedAt ?? recording?.createdAt ?? null,
			durationSeconds: recording === null || recording.state === "live" ? null : recording.durationSeconds,
			framesPerSecond: recording === null ? null : frameRateOf(recording),
		})),
	);
	return found.map(({ failure, job, recording, named }, at) => ({
		id: failure.id,
		failedAt: timestamp(failure.failedAt),
		name: named.name,
		labels: readLabels(named),
		outcome: named.outcome,
		runnerId: named.runnerId,
		job: job === null ? null : { id: job.id, status: job.status, stopReason: job.stopReason, error: jobError(job) },
		recording: recording === null || recording.deletedAt !== null ? null : recordingView(ctx, recording),
		deletedRecording: recording === null ? null : deletedOf(recording),
		failMarker: markers[at] ?? null,
	}));
}
