/** The SQL of markers. They belong to a job, or to a recording that was made elsewhere. */
import type { Selectable } from "kysely";
import type { Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import type { MarkerTable } from "../db/schema.ts";
import { instant } from "./job-view.ts";

/** Whose markers, and the recording that shows them, if there is one. */
export interface MarkerOwner {
	jobId: number | null;
	recordingId: number | null;
	/** When its first frame was captured, milliseconds since 1970; null while nothing is, or when nobody knows. */
	startedAt: number | null;
}

/** `at` is as the table keeps it: since 1970 for a job's, from the first frame for any other. */
type NewMarker = Pick<Marker, "label" | "kind"> & { at: number };

export async function insertMarker(ctx: Context, owner: MarkerOwner, marker: NewMarker): Promise<Marker> {
	const row = await insertRow(ctx, owner, marker);
	publishMarkers(ctx, owner);
	return markerView(row, owner);
}

/** Inserts a marker and says nothing of it: for a transaction, whose end `publishMarkers` has to wait for. */
export function insertRow(ctx: Context, owner: MarkerOwner, { label, kind, at }: NewMarker) {
	return ctx.db
		.insertInto("marker")
		.values({
			organizationId: ctx.actor.organizationId,
			jobId: owner.jobId,
			recordingId: owner.jobId === null ? owner.recordingId : null,
			label,
			kind,
			at: Math.round(at),
			createdAt: ctx.clock.now(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** In the order of their moments. */
export async function selectMarkers(ctx: Context, owner: MarkerOwner): Promise<Page<Marker>> {
	const rows = await ctx.db
		.selectFrom("marker")
		.selectAll()
		.where(columnOf(owner), "=", owner.jobId ?? owner.recordingId)
		.orderBy("at")
		.orderBy("id")
		.execute();
	return { data: rows.map((row) => markerView(row, owner)), nextCursor: null };
}

/** @throws not_found when the owner has no such marker. */
export async function removeMarker(ctx: Context, owner: MarkerOwner, markerId: number): Promise<void> {
	const row = await ctx.db
		.deleteFrom("marker")
		.where("id", "=", markerId)
		.where(columnOf(owner), "=", owner.jobId ?? owner.recordingId)
		.returning("id")
		.executeTakeFirst();
	if (row === undefined) throw notFound("marker");
	publishMarkers(ctx, owner);
}

const columnOf = ({ jobId }: MarkerOwner) => (jobId === null ? "recordingId" : "jobId");

export const publishMarkers = (ctx: Context, { jobId, recordingId }: Omit<MarkerOwner, "startedAt">): void =>
	ctx.facts.publish({ type: "markers", organizationId: ctx.actor.organizationId, jobId, recordingId });

function markerView(row: Selectable<MarkerTable>, { jobId, startedAt }: MarkerOwner): Marker {
	const { id, label, kind, at } = row;
	if (jobId === null) return { id, jobId, label, kind, at: null, offsetSeconds: at / 1000 };
	const offsetSeconds = startedAt === null ? null : Math.max(0, (at - startedAt) / 1000);
	return { id, jobId, label, kind, at: instant(at), offsetSeconds };
}
