/** `GET /v1/shared/{token}/tests`: the results that a shared page shows. */
import type { SharedTest } from "@tapedeck/contract/link.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import type { OpenedLink } from "#lib/recordings/share-links.ts";
import { listResults } from "./list-results.ts";

/**
 * The newest first, each with at most 100 steps, if the link includes steps.
 * @throws not_found if the recording was deleted; validation_failed at `cursor`.
 */
export async function listSharedTests(
	ctx: Context,
	{ recordingId, shown }: Pick<OpenedLink, "recordingId" | "shown">,
	query: PageQuery,
): Promise<Page<SharedTest>> {
	// Results outlive their video; what a link shows of it does not.
	await findRecording(ctx, recordingId);
	const { data, nextCursor } = await listResults(ctx, { recordingId, ...query });
	const hasSteps = shown.include.includes("steps");
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
		})),
		nextCursor,
	};
}
