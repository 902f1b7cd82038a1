/** Named moments of a job's recording. */
import type * as z from "zod";
import type { createMarkerBodySchema, Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import { assertMayWrite } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { publishJob } from "./job-store.ts";
import { instant } from "./job-view.ts";
import { readJob } from "./read-job.ts";

/** Names a moment; without `at` it is now. @throws not_found for a job that the caller's organization does not have. */
export async function createMarker(
	ctx: Context,
	jobId: number,
	input: z.output<typeof createMarkerBodySchema>,
): Promise<Marker> {
	assertMayWrite(ctx);
	const job = await readJob(ctx, jobId);
	const now = ctx.clock.now();
	const row = await ctx.db
		.insertInto("marker")
		.values({
			organizationId: ctx.actor.organizationId,
			jobId,
			label: input.label,
			kind: input.kind,
			at: input.at === undefined ? now : Date.parse(input.at),
			createdAt: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	publishJob(ctx, job);
	return markerView(row, job.startedAt);
}

/** A job's markers in the order of their moments. @throws not_found as above. */
export async function listMarkers(ctx: Context, jobId: number): Promise<Page<Marker>> {
	const job = await readJob(ctx, jobId);
	const rows = await ctx.db
		.selectFrom("marker")
		.selectAll()
		.where("jobId", "=", jobId)
		.orderBy("at")
		.orderBy("id")
		.execute();
	return { data: rows.map((row) => markerView(row, job.startedAt)), nextCursor: null };
}

type MarkerRow = { id: number; jobId: number; label: string; kind: Marker["kind"]; at: number };

function markerView(row: MarkerRow, startedAt: string | null): Marker {
	const offsetSeconds = startedAt === null ? null : Math.max(0, (row.at - Date.parse(startedAt)) / 1000);
	return { id: row.id, jobId: row.jobId, label: row.label, kind: row.kind, at: instant(row.at), offsetSeconds };
}
