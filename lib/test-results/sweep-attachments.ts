/** Deletes attachments whose result or test run was deleted, and those that are beyond the limits of retention. */
import { DEFAULT_RETENTION } from "@tapedeck/contract/retention.ts";
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
		.select(["organization.id", "retention.organizationId", "retention.maxAgeDays", "retention.maxBytes"])
		.execute();
	for (const { id, organizationId, ...own } of organizations) {
		const { maxAgeDays, maxBytes } = organizationId === null ? (ctx.defaultRetention ?? DEFAULT_RETENTION) : own;
		if (maxAgeDays !== null) {
			const before = ctx.clock.now() - maxAgeDays * DAY_MS;
			await purgeAll(ctx, (found) => found.where("organizationId", "=", id).where("createdAt", "<", before), signal);
		}
		if (maxBytes !== null) await keepWithin(ctx, id, maxBytes, signal);
	}
	await deleteOrphans(ctx, signal);
}

/**
 * Deletes the oldest attachments of an organization that stores more than its limit, except those that are younger than a
 * recording: retention deletes that one first.
 */
async function keepWithin(
	ctx: RecordingContext,
	organizationId: number,
	maxBytes: number,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		let over = (await storedBytes(ctx, organizationId)) - maxBytes;
		if (over <= 0) return;
		const recording = await ctx.db
			.selectFrom("recording")
			.select(({ fn }) => fn.min("createdAt").as("oldest"))
			.where("organizationId", "=", organizationId)
			.where("deletedAt", "is", null)
			.where("pinned", "=", 0)
			.where("state", "!=", "live")
			.executeTakeFirst();
		const rows = await ctx.db
			.selectFrom("attachment")
			.select(["id", "bytes"])
			.where("organizationId", "=", organizationId)
			.where("createdAt", "<", recording?.oldest ?? Number.MAX_SAFE_INTEGER)
			.orderBy("createdAt")
			.orderBy("id")
			.limit(AT_ONCE)
			.execute();
		const ids: number[] = [];
		for (const { id, bytes } of rows) {
			if (over <= 0) break;
			ids.push(id);
			over -= bytes;
		}
		await purgeAttachments(ctx, ids);
		if (ids.length < AT_ONCE) return;
	}
}

/** The bytes without the trash, which retention does not count either. */
async function storedBytes(ctx: Context, organizationId: number): Promise<number> {
	const use = await ctx.db
		.selectFrom("organizationUse")
		.select("bytes")
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	const trash = await ctx.db
		.selectFrom("recording")
		.select(({ fn }) => fn.sum<number | string | null>("bytes").as("bytes"))
		.where("organizationId", "=", organizationId)
		.where("purgeAt", "is not", null)
		.executeTakeFirst();
	return Number(use?.bytes ?? 0) - Number(trash?.bytes ?? 0);
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
