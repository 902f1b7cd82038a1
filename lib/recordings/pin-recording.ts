/** Pins a recording, which exempts it from retention, or unpins it. */
import { audit } from "#lib/audit/write-audit.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

/** @throws not_found */
export async function pinRecording(ctx: Context, recordingId: number, pinned: boolean): Promise<Recording> {
	const row = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("recording")
			.set({ pinned: pinned ? 1 : 0 })
			.where("id", "=", recordingId)
			.where("organizationId", "=", ctx.actor.organizationId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("recording");
		const target = { kind: "recording", id: recordingId, name: row.name } as const;
		await audit(ctx, { action: pinned ? "recording.pinned" : "recording.unpinned", target });
		return row;
	});
	await publishRecording(ctx, row);
	return recordingView(ctx, row);
}
