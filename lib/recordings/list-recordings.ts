/** `GET /v1/recordings`: newest first, by keyset. */
import { sql } from "kysely";
import type * as z from "zod";
import type { Page } from "../contract/page.ts";
import type { listRecordingsQuerySchema, Recording } from "../contract/recording.ts";
import type { Context } from "../core/context.ts";
import { pageFrom, readCursor } from "../core/cursor.ts";
import { recordingView } from "./recording-view.ts";

/** @throws validation_failed at `cursor` when it is not one of ours. */
export async function listRecordings(
	ctx: Context,
	query: z.output<typeof listRecordingsQuerySchema>,
): Promise<Page<Recording>> {
	let recordings = ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) recordings = recordings.where("id", "<", readCursor(query.cursor));
	const text = query.q?.trim() ?? "";
	if (text !== "") recordings = recordings.where(nameContains(text));
	return pageFrom(await recordings.execute(), query.limit, (row) => recordingView(ctx, row));
}

const nameContains = (text: string) =>
	sql<boolean>`lower(name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
