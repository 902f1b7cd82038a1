/** The results that a shared page shows, and their attachments. */
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import type { SharedTest } from "@tapedeck/contract/link.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import type { OpenedLink } from "#lib/recordings/share-links.ts";
import { attachmentView } from "./attachment-view.ts";
import { listResults } from "./list-results.ts";

/**
 * `GET /v1/shared/{token}/tests`: the newest first, with the parts that the link includes: at most 100 steps of each, and
 * attachments, whose URLs are the link's.
 * @throws not_found if the recording was deleted; validation_failed at `cursor`.
 */
export async function listSharedTests(
	ctx: Context,
	token: string,
	{ recordingId, shown }: Pick<OpenedLink, "recordingId" | "shown">,
	query: PageQuery,
): Promise<Page<SharedTest>> {
	// Results outlive their video; what a link shows of it does not.
	await findRecording(ctx, recordingId);
	const { data, nextCursor } = await listResults(ctx, { recordingId, ...query });
	const hasSteps = shown.include.includes("steps");
	const attachments = shown.include.includes("attachments")
		? await attachmentsOfResults(
				ctx,
				token,
				data.map(({ id }) => id),
			)
		: new Map<number, Attachment[]>();
	return {
		data: data.map((result) => ({
			id: result.id,
			test: result.test,
			suite: result.suite,
			project: result.project,
			attempt: result.attempt,
			outcome: result.outcome,
			flaky: result.flaky,
			startedAt: result.startedAt,
			offsetSeconds: result.offsetSeconds,
			clampedTo: result.clampedTo,
			durationSeconds: result.durationSeconds,
			failureOffsetSeconds: result.failureOffsetSeconds,
			isApproximate: result.isApproximate,
			message: result.message,
			...(hasSteps ? { steps: result.steps, stepsLeftOut: result.stepsLeftOut } : { steps: [], stepsLeftOut: 0 }),
			attachments: attachments.get(result.id) ?? [],
		})),
		nextCursor,
	};
}

async function attachmentsOfResults(
	ctx: Context,
	token: string,
	resultIds: readonly number[],
): Promise<Map<number, Attachment[]>> {
	if (resultIds.length === 0) return new Map();
	const rows = await ctx.db
		.selectFrom("attachment")
		.selectAll()
		.where("resultId", "in", resultIds)
		.orderBy("id")
		.execute();
	const attachments = new Map<number, Attachment[]>();
	for (const row of rows) {
		const url = `${ctx.baseUrl}/v1/shared/${token}/attachments/${row.id}`;
		const of = row.resultId as number;
		attachments.set(of, [...(attachments.get(of) ?? []), { ...attachmentView(ctx, row), url }]);
	}
	return attachments;
}

/** @throws not_found unless the attachment is of one of the recording's tests, and the recording still exists. */
export async function assertShared(ctx: Context, recordingId: number, attachmentId: number): Promise<void> {
	const { jobId } = await findRecording(ctx, recordingId);
	const found = await ctx.db
		.selectFrom("attachment")
		.innerJoin("testResult", "testResult.id", "attachment.resultId")
		.select("attachment.id")
		.where("attachment.id", "=", attachmentId)
		.where((result) =>
			jobId === null ? result("testResult.recordingId", "=", recordingId) : result("testResult.jobId", "=", jobId),
		)
		.executeTakeFirst();
	if (found === undefined) throw notFound("attachment");
}
