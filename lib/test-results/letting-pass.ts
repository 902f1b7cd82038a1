/** `GET /v1/failure-triage`: the causes that let CI pass now, with who looks after them and until when. */
import type { LettingPass } from "@tapedeck/contract/test-failure.ts";
import type { Context } from "#lib/core/context.ts";
import { resultViews } from "./result-view.ts";
import { NO_TRIAGE, triageOf } from "./triage.ts";

const COUNTED_MS = 7 * 86_400_000;

export async function listLettingPass(ctx: Context): Promise<LettingPass> {
	const { organizationId } = ctx.actor;
	const rows = await ctx.db
		.selectFrom("failureTriage")
		.select("key")
		.where("organizationId", "=", organizationId)
		.where("kind", "=", "cause")
		.where("letsPass", "=", 1)
		.where("mutedUntil", ">", ctx.clock.now())
		.orderBy("mutedUntil")
		.orderBy("key")
		.execute();
	const causes = rows.map(({ key }) => key);
	const triage = await triageOf(ctx, "cause", causes);
	const data = await Promise.all(
		// At most MAX_LETTING_PASS. The two reads of each use the index of causes.
		causes.map(async (cause) => {
			const ofCause = ctx.reads
				.selectFrom("testResult")
				.where("organizationId", "=", organizationId)
				.where("cause", "=", cause);
			const newest = await ofCause.selectAll().orderBy("startedAt", "desc").orderBy("id", "desc").limit(1).execute();
			const { count } = await ofCause
				.select(({ fn }) => fn.countAll<number>().as("count"))
				.where("startedAt", ">", ctx.clock.now() - COUNTED_MS)
				.where("outcome", "in", ["failed", "error"])
				.executeTakeFirstOrThrow();
			const [view] = await resultViews(ctx, newest);
			return {
				cause,
				title: view?.reason ?? null,
				newest:
					view === undefined
						? null
						: { id: view.id, testId: view.testId, recordingId: view.recordingId, test: view.test },
				failures: Number(count),
				triage: triage.get(cause) ?? NO_TRIAGE,
			};
		}),
	);
	return { data };
}
