/** Deletes attachments whose result or test run was deleted, and those that are too old, with their files. */
import { DEFAULT_RETENTION } from "@tapedeck/contract/organization.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { discardObjects } from "#lib/recordings/store/object-ledger.ts";

const DAY_MS = 86_400_000;
/** Per transaction: meanwhile nothing else is written. */
const AT_ONCE = 100;

/**
 * Run by a timer. Attachments are kept for as long as recordings, at most for as long as their results.
 * @param ctx any actor; its clock must be believed.
 */
export async function sweepAttachments(ctx: RecordingContext, signal: AbortSignal): Promise<void> {
	const organizations = await ctx.db
		.selectFrom("organization")
		.leftJoin("retention", "retention.organizationId", "organization.id")
		.select(["organization.id", "retention.organizationId", "retention.maxAgeDays"])
		.execute();
	for (const { id, organizationId, maxAgeDays } of organizations) {
		const { maxAgeDays: usual } = ctx.defaultRetention ?? DEFAULT_RETENTION;
		const days = organizationId === null ? usual : maxAgeDays;
		if (days !== null) {
			const before = ctx.clock.now() - days * DAY_MS;
			await purgeAll(ctx, (found) => found.where("organizationId", "=", id).where("createdAt", "<", before), signal);
		}
	}
	await deleteOrphans(ctx, signal);
}

/** Deletes the files of attachments whose owner was deleted. */
export const deleteOrphans = (ctx: RecordingContext, signal?: AbortSignal): Promise<void> =>
	purgeAll(ctx, (found) => found.where("resultId", "is", null).where("testRunId", "is", null), signal);

type Found = ReturnType<typeof attachmentIds>;
const attachmentIds = (ctx: Context) => ctx.db.selectFrom("attachment").select("id");

async function purgeAll(
	ctx: RecordingContext,
	narrow: (found: Found) => Found,
	signal: AbortSignal | undefined,
): Promise<void> {
	while (signal?.aborted !== true) {
		const rows = await narrow(attachmentIds(ctx)).orderBy("id").limit(AT_ONCE).execute();
		const ids = rows.map(({ id }) => id);
		await purgeAttachments(ctx, ids);
		if (ids.length < AT_ONCE) return;
	}
}

/** Deletes attachments with their files. If the process crashes in the middle, the sweep of uploads deletes files without a row. */
export async function purgeAttachments(ctx: RecordingContext, ids: readonly number[]): Promise<void> {
	if (ids.length === 0) return;
	const files = await inTransaction(ctx, async (ctx) => {
		const rows = await ctx.db
			.deleteFrom("attachment")
			.where("id", "in", ids)
			.returning(["uploadId", "objectKey"])
			.execute();
		const uploadIds = rows.map(({ uploadId }) => uploadId);
		await discardObjects(
			ctx,
			uploadIds,
			rows.map(({ objectKey }) => objectKey),
		);
		await ctx.leases.markDeleted(ctx, uploadIds);
		return uploadIds;
	});
	for (const uploadId of files) await ctx.videoFiles.remove(uploadId);
}
