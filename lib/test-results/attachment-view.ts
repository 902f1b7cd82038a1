/** Attachments as the API returns them. */
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import type { Context } from "#lib/core/context.ts";
import { type AttachmentOwner, attachmentsOf } from "./store/attachment-rows.ts";
import type { AttachmentRow } from "./store/result-store.ts";

export const attachmentView = (
	ctx: Context,
	{ id, name, contentType, bytes, width, height }: AttachmentRow,
): Attachment => ({
	...{ id, name, contentType, bytes, width, height },
	url: `${ctx.baseUrl}/v1/attachments/${id}`,
});

/** The first one first. */
export async function readAttachments(ctx: Context, owner: AttachmentOwner): Promise<Attachment[]> {
	const rows = await attachmentsOf(ctx, owner).selectAll().orderBy("id").execute();
	return rows.map((row) => attachmentView(ctx, row));
}

/** The number of attachments by the ids of results or test runs. Those without attachments are left out. */
export async function countAttachments(
	ctx: Context,
	owner: "resultId" | "testRunId",
	ids: readonly number[],
): Promise<Map<number, number>> {
	if (ids.length === 0) return new Map();
	const rows = await ctx.db
		.selectFrom("attachment")
		.select(({ fn }) => [`${owner} as id`, fn.countAll<number>().as("count")])
		.where(owner, "in", ids)
		.groupBy(owner)
		.execute();
	return new Map(rows.map(({ id, count }) => [id as number, Number(count)]));
}
