/** Markers of a job: named points in its recording. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { createMarkerBodySchema, Marker } from "@tapedeck/contract/marker.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type { Fault } from "@tapedeck/contract/problem.ts";
import type * as z from "zod";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import {
	insertMarkers,
	MAX_AHEAD_MS,
	type MarkerOwner,
	removeMarker,
	selectMarkers,
	shownUntil,
} from "#lib/lifecycle/marker-store.ts";
import { readJob } from "./read-job.ts";

type NewMarker = z.output<typeof createMarkerBodySchema>;

/**
 * Adds a marker at `at`, by default now.
 * @throws not_found if the job doesn't exist in the caller's organization; validation_failed at `at` if that is after
 *   the end of the job's video, or while it records, later than now.
 */
export async function createMarker(ctx: Context, jobId: number, input: NewMarker): Promise<Marker> {
	const [marker] = await createAll(ctx, jobId, [input], () => "at");
	return marker as Marker;
}

/**
 * Adds many markers, or none.
 * @returns them in the same order.
 * @throws the same, with faults at `markers.0.at`.
 */
export function createMarkers(ctx: Context, jobId: number, inputs: readonly NewMarker[]): Promise<Marker[]> {
	return createAll(ctx, jobId, inputs, (index) => `markers.${index}.at`);
}

async function createAll(
	ctx: Context,
	jobId: number,
	inputs: readonly NewMarker[],
	pathOf: (index: number) => string,
): Promise<Marker[]> {
	const job = await readJob(ctx, jobId);
	const now = ctx.clock.now();
	const markers = inputs.map((input) => ({ ...input, at: input.at === undefined ? now : Date.parse(input.at) }));
	const faults = markers.flatMap(({ at }, index) => faultOf(job, at, now, pathOf(index)));
	if (faults.length > 0) throw invalid(faults);
	return insertMarkers(ctx, ownerOf(job), markers);
}

/** A job's markers, by time. @throws not_found as above; validation_failed at `cursor`. */
export async function listMarkers(ctx: Context, jobId: number, query: PageQuery): Promise<Page<Marker>> {
	return selectMarkers(ctx, ownerOf(await readJob(ctx, jobId)), query);
}

/** @throws not_found for the job as above, or if it has no such marker. */
export async function deleteMarker(ctx: Context, jobId: number, markerId: number): Promise<void> {
	await removeMarker(ctx, ownerOf(await readJob(ctx, jobId)), markerId);
}

const startOf = (job: Job): number | null => (job.startedAt === null ? null : Date.parse(job.startedAt));

const ownerOf = (job: Job): MarkerOwner => ({
	jobId: job.id,
	recordingId: job.recording?.id ?? null,
	startedAt: startOf(job),
	durationSeconds: lengthOf(job),
	framesPerSecond: rateOf(job),
});

const rateOf = ({ recording }: Job): number | null => recording?.video?.framesPerSecond ?? null;

/** The length of the job's video; null while it grows. */
const lengthOf = ({ recording }: Job): number | null =>
	recording === null || recording.state === "live" ? null : recording.durationSeconds;

function faultOf(job: Job, at: number, now: number, path: string): Fault[] {
	const [startedAt, durationSeconds] = [startOf(job), lengthOf(job)];
	if (durationSeconds === null || startedAt === null) {
		if (at <= now + MAX_AHEAD_MS) return [];
		const seconds = Math.round((at - now) / 1_000);
		const message = `${timestamp(at)} is ${seconds} s later than now, ${timestamp(now)} by the clock of the dashboard. Send at as a time that has passed, or leave it out for now. If that is the time on your machine, set its clock.`;
		return [{ path, code: "too_big", message }];
	}
	const end = shownUntil(startedAt, durationSeconds, rateOf(job));
	if (at <= end) return [];
	const [from, to] = [startedAt, end].map((ms) => timestamp(ms));
	const message = `The recording has ended. Send at as a time within it, from ${from} to ${to}.`;
	return [{ path, code: "too_big", message }];
}
