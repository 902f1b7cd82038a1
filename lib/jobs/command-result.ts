/** What a recorded command reports (`tapedeck run`): markers while it runs, its outcome, a marker for each of its tests. */
import * as z from "zod";
import { sanitizeMessage } from "#lib/contract/plain-text.ts";
import { nameSchema } from "#lib/contract/primitives.ts";
import { MARKER_KINDS, OUTCOMES, type Outcome } from "#lib/contract/recording-kinds.ts";
import { COMMAND_ENDED, COMMAND_MARKER, type JobReport, MAX_TEST_MARKERS } from "#lib/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import { changeLabelled } from "#lib/lifecycle/change-labelled.ts";
import type { JobRow } from "#lib/lifecycle/job-store.ts";
import { insertMarkerRows } from "#lib/lifecycle/marker-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";

const MAX_OFFSET_SECONDS = 1_000_000_000;
const markerSchema = z.object({
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS),
	message: z
		.string()
		.nullish()
		.catch(null)
		.transform((text) => (text == null ? null : sanitizeMessage(text))),
});
const testMarkerSchema = markerSchema.extend({
	offsetSeconds: z.number().min(0).max(MAX_OFFSET_SECONDS),
});

type CommandNote = Extract<JobReport, { type: "note" }>;

export const isCommandResult = (report: JobReport): report is CommandNote =>
	report.type === "note" && report.event === COMMAND_ENDED;

export const isCommandMarker = (report: JobReport): report is CommandNote =>
	report.type === "note" && report.event === COMMAND_MARKER;

/**
 * Adds a marker of the command. One that only a later runner knows is skipped.
 * @param ctx its database must be a transaction; call `publishMarkersOf` and `publishRecordingOf` after the commit.
 * @param at in milliseconds.
 * @returns the job's row afterwards.
 */
export async function storeCommandMarker(
	ctx: Context,
	job: JobRow,
	{ data }: CommandNote,
	at: number,
): Promise<JobRow> {
	const marker = markerSchema.safeParse(data).data;
	if (marker === undefined) return job;
	await insertMarkerRows(ctx, { jobId: job.id, recordingId: null, startedAt: job.startedAt, durationSeconds: null }, [
		{ ...marker, at },
	]);
	if (marker.kind !== "fail") return job;
	return (await changeLabelled(ctx, { jobId: job.id }, { hasFailMarker: true })).job ?? job;
}

/**
 * The command's result replaces an outcome that a marker or a reporter set while it ran. One that somebody has set since
 * stays: the result of a runner without a connection arrives late. Values that only a later runner knows are skipped.
 * @param ctx its database must be a transaction; call `publishRecordingOf` after the commit.
 * @param endedAt when the command ended, in milliseconds.
 * @returns the job's row afterwards.
 */
export async function storeCommandResult(
	ctx: Context,
	job: JobRow,
	{ data }: CommandNote,
	endedAt: number,
): Promise<JobRow> {
	const { id: jobId, startedAt } = job;
	const sent = Array.isArray(data?.markers) && startedAt !== null ? data.markers.slice(0, MAX_TEST_MARKERS) : [];
	const markers = sent.flatMap((raw) => testMarkerSchema.safeParse(raw).data ?? []);
	if (markers.length > 0) {
		const atOf = (offsetSeconds: number): number => (startedAt ?? 0) + offsetSeconds * 1_000;
		const rows = markers.map(({ offsetSeconds, ...marker }) => ({ ...marker, at: atOf(offsetSeconds) }));
		await insertMarkerRows(ctx, { jobId, recordingId: null, startedAt, durationSeconds: null }, rows);
	}
	const outcome: Outcome | undefined = OUTCOMES.find((known) => known === data?.outcome);
	if (outcome === undefined || (await isSetSince(ctx, job.id, endedAt))) return job;
	return (await changeLabelled(ctx, { jobId: job.id }, { outcome })).job ?? job;
}

/** Whether somebody has set the outcome after that time. */
async function isSetSince(ctx: Context, jobId: number, at: number): Promise<boolean> {
	const changes = await ctx.db
		.selectFrom("jobEvent")
		.select("data")
		.where("jobId", "=", jobId)
		.where("type", "=", "outcome")
		.where("at", ">", at)
		.execute();
	return changes.some(({ data }) => JSON.parse(data).implied !== true);
}

/** The data of a note as the history keeps it: markers are stored as such, with their messages, and only counted here. */
export function historyData(note: CommandNote): Record<string, unknown> {
	const { data = {} } = note;
	if (isCommandMarker(note)) return { label: data.label, kind: data.kind };
	return Array.isArray(data.markers) ? { ...data, markers: data.markers.length } : data;
}

/** Publishes a job's recording, which has the same outcome. */
export async function publishRecordingOf(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").selectAll().where("jobId", "=", job.id).executeTakeFirst();
	if (recording !== undefined) await publishRecording(ctx, recording);
}
