/**
 * `POST /v1/runner/jobs`: a job that a runner has and the dashboard doesn't: the runner started it by itself
 * (auto-record, `tapedeck record`), or the dashboard lost it, for example when it was restored from a backup.
 */
import { countFaults, faultsOf } from "@tapedeck/contract/faults.ts";
import { type autoJobBodySchema, autoJobRule, type RunnerJob } from "@tapedeck/contract/runner-protocol.ts";
import { STOP_CONDITIONS } from "@tapedeck/contract/stop-condition.ts";
import type * as z from "zod";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { invalid, MAX_FAULTS } from "#lib/core/errors.ts";
import { defaultName } from "#lib/jobs/create-job.ts";
import { addJobEvent, publishJob } from "#lib/lifecycle/job-store.ts";
import { recordingSettings, rulesOnRunner } from "#lib/lifecycle/labels.ts";
import { stopRuleColumns } from "#lib/lifecycle/stop-rule.ts";
import { gridUrlOf, limitRefusal } from "#lib/lifecycle/token-limits.ts";
import { runnerJob } from "./long-poll.ts";
import { versionMismatch } from "./read-report.ts";
import { clockShift } from "./receive-reports.ts";
import { runnerOfSession } from "./runner-session.ts";

/**
 * Creates the job in `starting`, held by the reporting runner. Idempotent by key. A stop condition that only a later
 * runner version knows is stored as `interrupt`, because the runner ends the recording by itself.
 *
 * @throws session_superseded; validation_failed if the stop condition is invalid, or the runner's token does not allow
 *   the display or the grid.
 */
export async function createAutoJob(ctx: Context, body: z.output<typeof autoJobBodySchema>): Promise<RunnerJob> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const isKnown = STOP_CONDITIONS.some((known) => known === body.stopCondition);
	const understood = isKnown ? body : { ...body, stopCondition: "interrupt", stopConditionConfig: {} };
	const rule = autoJobRule(understood, runner.id);
	if (!rule.success) throw invalid(faultsOf(rule.error.issues, body, MAX_FAULTS), countFaults(rule.error.issues));
	const { path } = body;
	const { job, isNew } = await inTransaction(ctx, async (ctx) => {
		const own = { ...rule.data, labels: body.labels, keep: body.keep, maxDurationSeconds: body.maxDurationSeconds };
		const rules = rulesOnRunner(own, runner, await recordingSettings(ctx, runner.organizationId));
		const creator = creatorOf(ctx);
		const inserted = await ctx.db
			.insertInto("job")
			.values({
				organizationId: runner.organizationId,
				runnerId: runner.id,
				...(path === undefined
					? { type: "recording", displayId: body.displayId }
					: { type: "file_upload", displayId: "", filePath: path }),
				name: body.name ?? defaultName(ctx, body.displayId, runner.name),
				...stopRuleColumns(ctx, rule.data),
				...rules,
				preSeconds: body.preSeconds ?? 0,
				outcomeExpected: Number(body.outcomeExpected ?? false),
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
			const { type, displayId } = inserted;
			const refusal = limitRefusal(runner, { type, displayId, gridUrl: gridUrlOf(inserted) });
			if (refusal !== null) throw invalid({ path: refusal.path, code: refusal.reason, message: refusal.message });
			const target = { kind: "job", id: inserted.id, name: inserted.name } as const;
			await audit(ctx, { action: "job.created", target, detail: { runnerId: runner.id } });
			const began =
				path !== undefined
					? `${runner.name} found this file in its watched folder.`
					: body.formerId === undefined
						? `${runner.name} started this recording itself, in auto-record mode or with tapedeck record.`
						: `${runner.name} returned this recording: it was job ${body.formerId}, which this dashboard does not know. Either the dashboard was restored from a backup, or the recording was made for another dashboard.`;
			const unknownCondition = isKnown
				? ""
				: ` Its stop condition is "${body.stopCondition}", which ${versionMismatch(runner.version)}.`;
			await addJobEvent(ctx, inserted.id, { type: "created", message: began + unknownCondition });
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
