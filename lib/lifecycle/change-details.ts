/** Changes the name, labels, outcome, keep policy and pin of a job and its recording, in one step for both. */
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { type LabelChanges, MAX_LABELS, mergeLabels } from "@tapedeck/contract/labels.ts";
import type { Keep, Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { type Context, creatorOf } from "#lib/core/context.ts";
import { invalid, notFound } from "#lib/core/errors.ts";
import { addJobEvent, type JobRow, lockOwnJob } from "./job-store.ts";
import { deleteAtOf, labelColumns, readLabels, recordingSettings } from "./labels.ts";
import type { RecordingRow } from "./recording-store.ts";

export interface DetailChanges {
	name?: string;
	labels?: LabelChanges;
	outcome?: Outcome | null;
	/** It has a marker of the kind `fail`: sets the outcome if there is none, and nobody is expected to report one. */
	hasFailMarker?: boolean;
	keep?: Keep;
	pinned?: boolean;
	/** Further texts that it is found by. */
	texts?: readonly string[];
}

export interface Changed {
	job: JobRow | null;
	recording: RecordingRow | null;
	/** The changes, for the audit log. */
	isRenamed: boolean;
	changes: Pick<DetailChanges, "labels" | "outcome" | "keep">;
	/** Whether it was going to be deleted, and no longer is. */
	isKept: boolean;
	pinned: boolean | null;
}

/**
 * @param ctx its database must be a transaction.
 * @param of a job, or an uploaded recording without one.
 * @throws not_found unless it belongs to the actor's organization; validation_failed at `labels` if they get too many.
 */
export async function changeDetails(
	ctx: Context,
	of: { jobId: number } | { recordingId: number },
	changes: DetailChanges,
): Promise<Changed> {
	const { job, recording } =
		"jobId" in of ? await lockedJob(ctx, of.jobId) : await lockedRecording(ctx, of.recordingId);
	const before = job ?? recording;
	if (before === null) throw notFound("jobId" in of ? "job" : "recording");
	const known = readLabels(before);
	const labels = changes.labels === undefined ? known : mergeLabels(known, changes.labels);
	if (Object.keys(labels).length > MAX_LABELS) {
		const message = `Send at most ${MAX_LABELS} labels; with those it has, there would be ${Object.keys(labels).length}. Remove others by sending null.`;
		throw invalid({ path: "labels", code: "too_big", message });
	}
	const reported = changes.outcome === undefined ? before.outcome : changes.outcome;
	const isImplied = reported === null && changes.hasFailMarker === true && !(job !== null && expectsOutcome(job));
	const outcome = isImplied ? "failed" : reported;
	const keep = changes.keep ?? before.keep;
	const pinned = changes.pinned === undefined ? (recording ?? before).pinned : Number(changes.pinned);
	const texts = [...new Set([...otherTextsOf(before.searchText, Object.values(known)), ...(changes.texts ?? [])])];
	const common = {
		...(changes.name === undefined ? {} : { name: changes.name }),
		...(changes.labels === undefined && changes.texts === undefined ? {} : labelColumns(labels, texts)),
		outcome,
		keep,
		pinned,
	};
	const after = await write(ctx, { job, recording }, common);
	if (after.job !== null) await ctx.followers.jobChanged(ctx, after.job);
	else if (after.recording !== null) await ctx.followers.uploadChanged(ctx, after.recording);
	const changed: Changed = {
		...after,
		isRenamed: changes.name !== undefined && changes.name !== before.name,
		changes: {
			...(JSON.stringify(labels) === JSON.stringify(known) ? {} : { labels: changes.labels }),
			...(outcome === before.outcome ? {} : { outcome }),
			...(keep === before.keep ? {} : { keep: keep ?? "always" }),
		},
		isKept: recording?.deleteAt != null && after.recording?.deleteAt === null && changes.keep === "always",
		pinned: pinned === (recording ?? before).pinned ? null : pinned === 1,
	};
	if (job !== null) await tellHistory(ctx, job.id, changed, isImplied);
	return changed;
}

/** Whether a reporter will still send the outcome. */
const expectsOutcome = ({ outcomeExpected, status }: JobRow): boolean => outcomeExpected === 1 && !isEnded(status);

/** Words that are found, and are not values of labels: session names. */
function otherTextsOf(searchText: string | null, values: readonly string[]): string[] {
	return (searchText ?? "").split("\n").filter((word) => word !== "" && !values.includes(word));
}

async function lockedJob(ctx: Context, jobId: number): Promise<{ job: JobRow; recording: RecordingRow | null }> {
	const job = await lockOwnJob(ctx, jobId);
	const recording = await ctx.db.selectFrom("recording").selectAll().where("jobId", "=", jobId).executeTakeFirst();
	return { job, recording: recording ?? null };
}

async function lockedRecording(ctx: Context, recordingId: number): Promise<{ job: null; recording: RecordingRow }> {
	const recording = await ctx.db
		.updateTable("recording")
		.set((row) => ({ pinned: row.ref("pinned") }))
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("jobId", "is", null)
		.returningAll()
		.executeTakeFirst();
	if (recording === undefined) throw notFound("recording");
	return { job: null, recording };
}

type Common = Pick<JobRow, "outcome" | "keep" | "pinned"> & Partial<Pick<JobRow, "name" | "labels" | "searchText">>;

async function write(
	ctx: Context,
	{ job, recording }: { job: JobRow | null; recording: RecordingRow | null },
	common: Common,
): Promise<{ job: JobRow | null; recording: RecordingRow | null }> {
	const newJob =
		job === null
			? null
			: await ctx.db.updateTable("job").set(common).where("id", "=", job.id).returningAll().executeTakeFirstOrThrow();
	if (recording === null) return { job: newJob, recording: null };
	// Its time to go begins when it first has a reason to.
	const wanted = deleteAtOf(common, await recordingSettings(ctx, recording.organizationId), ctx.clock.now());
	const deleteAt = wanted === null ? null : (recording.deleteAt ?? wanted);
	const newRecording = await ctx.db
		.updateTable("recording")
		.set({ ...common, deleteAt })
		.where("id", "=", recording.id)
		.returningAll()
		// Retention may have deleted it since it was read.
		.executeTakeFirst();
	return { job: newJob, recording: newRecording ?? null };
}

async function tellHistory(
	ctx: Context,
	jobId: number,
	{ changes, isKept }: Changed,
	isImplied: boolean,
): Promise<void> {
	const by = creatorOf(ctx);
	const who = by === null ? "" : ` by ${by.name}`;
	if (isImplied) {
		const message = "Outcome set to failed, because of a fail marker.";
		await addJobEvent(ctx, jobId, { type: "outcome", message, data: { outcome: "failed", implied: true } });
	} else if (changes.outcome !== undefined) {
		const outcome = changes.outcome ?? "unknown";
		await addJobEvent(ctx, jobId, { type: "outcome", message: `Outcome set to ${outcome}${who}.`, data: { outcome } });
	}
	if (changes.labels !== undefined) {
		const data = { labels: changes.labels };
		await addJobEvent(ctx, jobId, { type: "labels", message: `Labels changed${who}.`, data });
	}
	if (isKept) await addJobEvent(ctx, jobId, { type: "kept", message: `The recording is kept, as requested${who}.` });
}
