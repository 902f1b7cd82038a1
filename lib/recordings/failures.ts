/** `GET /v1/failures`: what failed, the last first. Triggers keep the list. */
import type { Selectable } from "kysely";
import type { Failure, ListFailuresQuery } from "#lib/contract/failure.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { readSortedCursor, sortedCursorAfter } from "#lib/core/cursor.ts";
import { timestamp } from "#lib/core/times.ts";
import type { FailureTable } from "#lib/db/schema.ts";
import { jobError } from "#lib/lifecycle/job-store.ts";
import { readLabels } from "#lib/lifecycle/labelled.ts";
import { deletedOf } from "#lib/lifecycle/recording-store.ts";
import { failMarkersOf } from "./fail-markers.ts";
import { recordingView } from "./recording-view.ts";

const SORTING = "failedAt desc";

/** @throws validation_failed at `cursor` */
export async function listFailures(ctx: Context, query: ListFailuresQuery): Promise<Page<Failure>> {
	const { limit, cursor, failedAfter, failedBefore } = query;
	const after = cursor === undefined ? null : readSortedCursor(cursor, SORTING);
	let failures = ctx.db
		.selectFrom("failure")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.orderBy("failedAt", "desc")
		.orderBy("id", "desc")
		.limit(limit + 1);
	if (failedAfter !== undefined) failures = failures.where("failedAt", ">", failedAfter);
	if (failedBefore !== undefined) failures = failures.where("failedAt", "<", failedBefore);
	if (after !== null) {
		failures = failures.where(({ eb, refTuple, tuple }) =>
			eb(refTuple("failedAt", "id"), "<", tuple(after.value, after.id)),
		);
	}
	const rows = await failures.execute();
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const hasMore = rows.length > limit && last !== undefined;
	return {
		data: await viewsOf(ctx, shown),
		nextCursor: hasMore ? sortedCursorAfter({ value: last.failedAt, id: last.id }, SORTING) : null,
	};
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
