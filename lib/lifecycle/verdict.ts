/** What the runner's samples of the picture say of a whole recording: told when capture ends, kept on the recording. */
import { VERDICTS, type Verdict } from "../contract/recording-kinds.ts";
import type { Context } from "../core/context.ts";
import type { JobRow } from "./job-store.ts";

/**
 * Puts the verdict of a job's last `stopped` report on its recording, as far as both are there. Called from both
 * sides, by the report and by the upload, in either order. Idempotent.
 */
export async function keepVerdict(ctx: Pick<Context, "db">, jobId: number): Promise<void> {
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

/** Tells those who look at the recording of a job that a verdict may have come. */
export async function publishVerdict(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").select(["id", "verdict"]).where("jobId", "=", job.id);
	const row = await recording.executeTakeFirst();
	if (row === undefined || row.verdict === null) return;
	const { id: jobId, organizationId } = job;
	ctx.facts.publish({ type: "recording", organizationId, recordingId: row.id, jobId, deleted: false });
}
