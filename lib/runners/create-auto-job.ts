/**
 * `POST /v1/runner/jobs`: a job that a runner already has and the dashboard does not. The runner began it by itself
 * (auto-record, `tapedeck record`), or the dashboard forgot it, such as by a restore from a backup.
 */
import type * as z from "zod";
import { countFaults, faultsOf } from "../contract/faults.ts";
import { type autoJobBodySchema, autoJobRule, type RunnerJob } from "../contract/runner-protocol.ts";
import { STOP_CONDITIONS } from "../contract/stop-condition.ts";
import { creatorOf } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { invalid, MAX_FAULTS } from "../core/errors.ts";
import { defaultName, storedRule } from "../jobs/create-job.ts";
import { addJobEvent, inTransaction, publishJob } from "../lifecycle/job-store.ts";
import { versionsInWords } from "./read-report.ts";
import { clockShift } from "./receive-reports.ts";
import { runnerOfSession } from "./runner-session.ts";
import { runnerJob } from "./sync-runner.ts";

/**
 * Creates the job in `starting`, taken by the runner that tells of it. The same key is the same job. A stop condition
 * that only a later runner knows is kept as `interrupt`: the runner ends the recording by itself, and it is kept.
 *
 * @throws session_superseded; validation_failed when the condition does not fit.
 */
export async function createAutoJob(ctx: Context, body: z.output<typeof autoJobBodySchema>): Promise<RunnerJob> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const isKnown = STOP_CONDITIONS.some((known) => known === body.stopCondition);
	const understood = isKnown ? body : { ...body, stopCondition: "interrupt", stopConditionConfig: {} };
	const rule = autoJobRule(understood, runner.id);
	if (!rule.success) throw invalid(faultsOf(rule.error.issues, body, MAX_FAULTS), countFaults(rule.error.issues));
	const { job, isNew } = await inTransaction(ctx, async (ctx) => {
		const creator = creatorOf(ctx);
		const inserted = await ctx.db
			.insertInto("job")
			.values({
				organizationId: runner.organizationId,
				runnerId: runner.id,
				type: "recording",
				displayId: body.displayId,
				name: body.name ?? defaultName(ctx, body.displayId, runner.name),
				...storedRule(ctx, rule.data),
				status: "starting",
				createdAt: Date.parse(body.at) + clockShift(ctx, body),
				createdByKind: creator?.kind ?? null,
				createdById: creator?.id ?? null,
				createdByName: runner.name,
				runnerKey: body.key,
				key: body.key,
			})
			.onConflict((conflict) => conflict.doNothing())
			.returningAll()
			.executeTakeFirst();
		if (inserted !== undefined) {
			const target = { kind: "job", id: inserted.id, name: inserted.name } as const;
			await audit(ctx, { action: "job.created", target, detail: { runnerId: runner.id } });
			const began =
				body.formerId === undefined
					? `${runner.name} began this recording by itself: in auto-record mode, or by tapedeck record on its machine.`
					: `${runner.name} brought this recording back: it was job ${body.formerId}, which this dashboard does not know. Either the dashboard was restored from a backup, or the recording was made for another dashboard.`;
			const strange = isKnown ? "" : ` It ends by "${body.stopCondition}", which ${versionsInWords(runner.version)}.`;
			await addJobEvent(ctx, inserted.id, { type: "created", message: began + strange });
			return { job: inserted, isNew: true };
		}
		const known = await ctx.db
			.selectFrom("job")
			.selectAll()
			.where("runnerId", "=", runner.id)
			.where("key", "=", body.key)
			.executeTakeFirstOrThrow();
		return { job: known, isNew: false };
	});
	if (isNew) publishJob(ctx, job);
	return runnerJob(ctx, job);
}
