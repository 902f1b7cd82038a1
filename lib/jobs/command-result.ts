/** What a recorded command came to (`tapedeck run`): its outcome, and a marker for each of its tests. */
import * as z from "zod";
import { nameSchema } from "#lib/contract/primitives.ts";
import { MARKER_KINDS, OUTCOMES, type Outcome } from "#lib/contract/recording-kinds.ts";
import { COMMAND_ENDED, type JobReport, MAX_TEST_MARKERS } from "#lib/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import { changeLabelled } from "#lib/lifecycle/change-labelled.ts";
import type { JobRow } from "#lib/lifecycle/job-store.ts";
import { insertMarkerRows } from "#lib/lifecycle/marker-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";

const MAX_OFFSET_SECONDS = 1_000_000_000;
const markerSchema = z.object({
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS),
	offsetSeconds: z.number().min(0).max(MAX_OFFSET_SECONDS),
});

type CommandNote = Extract<JobReport, { type: "note" }>;

export const isCommandResult = (report: JobReport): report is CommandNote =>
	report.type === "note" && report.event === COMMAND_ENDED;

/**
 * Values that only a later runner knows are skipped. An outcome that somebody has set stays.
 * @param ctx its database must be a transaction; call `publishRecordingOf` after the commit.
 * @returns the job's row afterwards.
 */
export async function storeCommandResult(ctx: Context, job: JobRow, { data }: CommandNote): Promise<JobRow> {
	const { id: jobId, startedAt } = job;
	const sent = Array.isArray(data?.markers) && startedAt !== null ? data.markers.slice(0, MAX_TEST_MARKERS) : [];
	const markers = sent.flatMap((raw) => markerSchema.safeParse(raw).data ?? []);
	if (markers.length > 0) {
		const atOf = (offsetSeconds: number): number => (startedAt ?? 0) + offsetSeconds * 1_000;
		const rows = markers.map(({ label, kind, offsetSeconds }) => ({ label, kind, at: atOf(offsetSeconds) }));
		await insertMarkerRows(ctx, { jobId, recordingId: null, startedAt }, rows);
	}
	const outcome: Outcome | undefined = OUTCOMES.find((known) => known === data?.outcome);
	if (outcome === undefined) return job;
	return (await changeLabelled(ctx, { jobId: job.id }, { outcomeIfNone: outcome })).job ?? job;
}

/** Publishes a job's recording, which has the same outcome. */
export async function publishRecordingOf(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").selectAll().where("jobId", "=", job.id).executeTakeFirst();
	if (recording !== undefined) await publishRecording(ctx, recording);
}
