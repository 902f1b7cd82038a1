/** `GET /v1/recordings/{id}`. */
import type { Recording } from "../contract/recording.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";

/** @throws not_found for a recording that the caller's organization does not have. */
export async function readRecording(ctx: Context, recordingId: number): Promise<Recording> {
	const row = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("bytes", ">", 0)
		.executeTakeFirst();
	if (row === undefined) throw notFound("recording");
	const path = `${ctx.baseUrl}/v1/recordings/${row.id}`;
	const { pinned, createdAt, uploadId: _uploadId, updatedAt: _updatedAt, ...rest } = row;
	return {
		...rest,
		createdAt: new Date(createdAt).toISOString(),
		pinned: pinned === 1,
		url: `${ctx.baseUrl}/recordings/${row.id}`,
		videoUrl: `${path}/video`,
		posterUrl: `${path}/poster`,
	};
}
