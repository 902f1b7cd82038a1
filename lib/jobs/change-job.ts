/** `PATCH /v1/jobs/{id}`: changes the name, labels and other details of a job, while it runs and afterwards. */
import type { ChangeJob, Job } from "@tapedeck/contract/job.ts";
import { auditChanges } from "#lib/audit/audit-changes.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import { publishJob } from "#lib/lifecycle/job-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { readJob } from "./read-job.ts";

/**
 * Omitted fields stay unchanged. Its recording gets the same changes.
 * @throws not_found; validation_failed at `labels` if they get too many.
 */
export async function changeJob(ctx: Context, jobId: number, changes: ChangeJob): Promise<Job> {
	const { job, recording } = await inTransaction(ctx, async (ctx) => {
		const changed = await changeDetails(ctx, { jobId }, changes);
		await auditChanges(ctx, "job", changed);
		return changed;
	});
	if (job !== null) publishJob(ctx, job);
	if (recording !== null) await publishRecording(ctx, recording);
	return readJob(ctx, jobId);
}
