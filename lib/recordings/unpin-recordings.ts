/** `POST /v1/recordings/unpin`: unpins many recordings, so that retention may delete them again. */
import type { Unpinned, UnpinRecordings } from "@tapedeck/contract/recording.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { changeRecording } from "./change-recording.ts";

/** Per call: each is a transaction of its own, with an entry in the audit log. */
const MOST = 200;

/**
 * Ids that name no pinned recording of the actor's organization change nothing.
 * @param signal ends it between two recordings.
 */
export async function unpinRecordings(
	ctx: Context,
	{ recordingIds }: UnpinRecordings,
	signal: AbortSignal,
): Promise<Unpinned> {
	const rows = await ctx.db
		.selectFrom("recording")
		.select("id")
		.where("organizationId", "=", ctx.actor.organizationId)
		// Literally, as in the index.
		.where(sql<boolean>`pinned = 1 and "deletedAt" is null`)
		.$if(recordingIds !== undefined, (query) => query.where("id", "in", recordingIds ?? []))
		.orderBy("createdAt")
		.orderBy("id")
		.limit(MOST + 1)
		.execute();
	const unpinned: number[] = [];
	for (const { id } of rows.slice(0, MOST)) {
		if (signal.aborted) break;
		if (await unpin(ctx, id)) unpinned.push(id);
	}
	return { recordingIds: unpinned, hasMore: rows.length > MOST };
}

async function unpin(ctx: Context, recordingId: number): Promise<boolean> {
	try {
		await changeRecording(ctx, recordingId, { pinned: false });
		return true;
	} catch (error) {
		// It was deleted in the meantime.
		if (isTapedeckError(error) && error.code === "not_found") return false;
		throw error;
	}
}
