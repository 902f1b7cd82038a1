/** Keeps a recording whatever the retention says, or lets it go again. */
import type { Recording } from "../contract/recording.ts";
import { assertMayWrite } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { publishRecording } from "../lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

/** @throws forbidden, not_found */
export async function pinRecording(ctx: Context, recordingId: number, pinned: boolean): Promise<Recording> {
	assertMayWrite(ctx);
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
