/** The runner's verdict on a recording, from samples it takes; reported at the end of capture. */
import { VERDICTS, type Verdict } from "@tapedeck/contract/recording-kinds.ts";
import type { Context } from "#lib/core/context.ts";
import type { JobRow } from "./job-store.ts";

/**
 * Copies the verdict of a job's last `stopped` report to its recording, if both exist. Called by both the report and
 * the upload, in either order. Idempotent.
 */
export async function storeVerdict(ctx: Pick<Context, "db">, jobId: number): Promise<void> {
	const stopped = await ctx.db
		.selectFrom("jobEvent")
		.select("data")
		.where("jobId", "=", jobId)
		.where("type", "=", "stopped")
		.orderBy("id", "desc")
		.limit(1)
		.executeTakeFirst();
	const verdict = stopped === undefined ? null : verdictIn(stopped.data);
	if (verdict === null) return;
	await ctx.db.updateTable("recording").set({ verdict }).where("jobId", "=", jobId).execute();
}

function verdictIn(data: string): Verdict | null {
	const { verdict } = JSON.parse(data) as { verdict?: unknown };
	return VERDICTS.find((known) => known === verdict) ?? null;
}

/** Publishes that the verdict of a job's recording may have changed. */
export async function publishVerdict(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").select(["id", "verdict"]).where("jobId", "=", job.id);
	const row = await recording.executeTakeFirst();
	if (row === undefined || row.verdict === null) return;
	const { id: jobId, organizationId } = job;
	ctx.events.publish({ type: "recording", organizationId, recordingId: row.id, jobId, deleted: false });
}
