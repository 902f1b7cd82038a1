/** Named moments of a job's recording. */
import type * as z from "zod";
import type { Job } from "../contract/job.ts";
import type { createMarkerBodySchema, Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import { assertMayWrite } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { invalid } from "../core/errors.ts";
import { insertMarker, type MarkerOwner, removeMarker, selectMarkers } from "./marker-store.ts";
import { readJob } from "./read-job.ts";

/**
 * Names a moment; without `at` it is now.
 * @throws not_found for a job that the caller's organization does not have; validation_failed at `at` for a moment
 * after the end of its video.
 */
export async function createMarker(
	ctx: Context,
	jobId: number,
	input: z.output<typeof createMarkerBodySchema>,
): Promise<Marker> {
	assertMayWrite(ctx);
	const job = await readJob(ctx, jobId);
	const at = input.at === undefined ? ctx.clock.now() : Date.parse(input.at);
	assertWithin(job, at);
	return insertMarker(ctx, ownerOf(job), { ...input, at });
}

/** A job's markers in the order of their moments. @throws not_found as above. */
export async function listMarkers(ctx: Context, jobId: number): Promise<Page<Marker>> {
	return selectMarkers(ctx, ownerOf(await readJob(ctx, jobId)));
}

/** @throws forbidden; not_found for the job as above, and for a marker that it does not have. */
export async function deleteMarker(ctx: Context, jobId: number, markerId: number): Promise<void> {
	assertMayWrite(ctx);
	await removeMarker(ctx, ownerOf(await readJob(ctx, jobId)), markerId);
}

const startOf = (job: Job): number | null => (job.startedAt === null ? null : Date.parse(job.startedAt));

const ownerOf = (job: Job): MarkerOwner => ({
	jobId: job.id,
	recordingId: job.recording?.id ?? null,
	startedAt: startOf(job),
});

/** What goes on may be marked ahead: the caller's clock and the runner's may differ. */
function assertWithin(job: Job, at: number): void {
	const { recording } = job;
	const startedAt = startOf(job);
	if (recording === null || recording.state === "live" || startedAt === null) return;
	const end = startedAt + Math.ceil(recording.durationSeconds * 1000);
	if (at <= end) return;
	const [from, to] = [startedAt, end].map((ms) => new Date(ms).toISOString());
	const message = `The recording has ended. Send at as a time within it, from ${from} to ${to}.`;
	throw invalid({ path: "at", code: "too_big", message });
}
