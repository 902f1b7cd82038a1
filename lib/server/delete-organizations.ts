/**
 * Deletes organizations whose grace time is over: first all access to them, then their videos, then their rows, in
 * short steps that leave the database to others in between. Data left by a stop or a crash is deleted by the next
 * sweep. The audit log stays until its entries are a year old, because they cannot be deleted earlier.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { membersChanged } from "#lib/auth/members/membership.ts";
import { inTransaction } from "#lib/core/context.ts";
import { purgeRecordings } from "#lib/recordings/deletion.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { deleteOrphans } from "#lib/test-results/sweep-attachments.ts";

/** Rows per transaction, and the pause for everyone else after it. */
const STEP = 20;
const PAUSE_MS = 20;

/** Tables whose rows give access to the organization. */
const ACCESS = [
	"member",
	"apiKey",
	"runnerToken",
	"invitation",
	"invitationLink",
	"shareLink",
	"deviceSignIn",
] as const;
/**
 * Tables with many rows per organization. Each refers only to tables later in the list. The other tables are deleted by
 * cascade.
 */
const LARGE = [
	"webhookDelivery",
	"testResult",
	"testRun",
	"test",
	"marker",
	"track",
	"job",
	"gridSession",
	"runner",
] as const;
/**
 * Tables maintained by triggers and without a foreign key. They are deleted last, because the triggers would add the
 * rows again.
 */
const COUNTS = ["jobLabel", "recordingLabel", "testRunLabel", "build", "organizationUse", "clockWatch"] as const;

/**
 * Run by a timer.
 * @param ctx any actor; its clock must be believed.
 * @returns how many organizations were deleted.
 */
export async function deleteOrganizations(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	const due = await ctx.db
		.selectFrom("organizationDeletion")
		.innerJoin("organization", "organization.id", "organizationId")
		.select(["organizationId", "organization.name", "requestedBy"])
		.where("deleteAt", "<=", ctx.clock.now())
		.orderBy("deleteAt")
		.execute();
	let deleted = 0;
	for (const { organizationId, name, requestedBy } of due) {
		const system = { ...ctx, actor: { kind: "system", organizationId } } as const;
		if (!(await closeAccess(system))) continue;
		await deleteVideos(system, stopping);
		for (const table of LARGE) await deleteRows(system, table, stopping);
		// Their results and test runs are gone.
		await deleteOrphans(system, stopping);
		if (stopping?.aborted === true) break;
		if (!(await deleteRest(system))) continue;
		deleted += 1;
		ctx.log.warn({ organizationId, name, requestedBy }, "an organization was deleted with everything in it");
	}
	return deleted;
}

/** Ends all access, after which the deletion cannot be cancelled. @returns false if an owner has just cancelled it. */
async function closeAccess(ctx: RecordingContext): Promise<boolean> {
	const { organizationId } = ctx.actor;
	const isClosed = await inTransaction(ctx, async (ctx) => {
		// Locks the row, which cancelling deletes.
		const due = await ctx.db
			.updateTable("organizationDeletion")
			.set((row) => ({ deleteAt: row.ref("deleteAt") }))
			.where("organizationId", "=", organizationId)
			.where("deleteAt", "<=", ctx.clock.now())
			.returning("organizationId")
			.executeTakeFirst();
		if (due === undefined) return false;
		for (const table of ACCESS) {
			await sql`delete from ${sql.table(table)} where "organizationId" = ${organizationId}`.execute(ctx.db);
		}
		await accountTables(ctx.db)
			.updateTable("session")
			.set({ activeOrganizationId: null })
			.where("activeOrganizationId", "=", String(organizationId))
			.execute();
		return true;
	});
	if (isClosed) membersChanged(ctx, organizationId);
	return isClosed;
}

/** Deletes recordings with their files, also those in progress: their runners and uploaders have no access any more. */
async function deleteVideos(ctx: RecordingContext, stopping: AbortSignal | undefined): Promise<void> {
	const now = ctx.clock.now();
	while (stopping?.aborted !== true) {
		const some = ctx.db
			.selectFrom("recording")
			.select("id")
			.where("organizationId", "=", ctx.actor.organizationId)
			.orderBy("id")
			.limit(STEP);
		const rows = await ctx.db
			.updateTable("recording")
			.set({ deletedAt: now, purgeAt: now })
			.where("id", "in", some)
			.returning("id")
			.execute();
		if (rows.length === 0) return;
		const ids = rows.map(({ id }) => id);
		await purgeRecordings(ctx, ids);
		await ctx.db.deleteFrom("recording").where("id", "in", ids).execute();
		await sleep(PAUSE_MS);
	}
}

async function deleteRows(
	ctx: RecordingContext,
	table: (typeof LARGE)[number],
	stopping: AbortSignal | undefined,
): Promise<void> {
	const name = sql.table(table);
	while (stopping?.aborted !== true) {
		const { numAffectedRows } = await sql`delete from ${name} where id in (
			select id from ${name} where "organizationId" = ${ctx.actor.organizationId} limit ${sql.lit(STEP)})`.execute(
			ctx.db,
		);
		if (Number(numAffectedRows ?? 0) === 0) return;
		await sleep(PAUSE_MS);
	}
}

/** @returns false if a call that had begun before has added a file: it goes with the next sweep. */
function deleteRest(ctx: RecordingContext): Promise<boolean> {
	const { organizationId } = ctx.actor;
	return inTransaction(ctx, async (ctx) => {
		const recording = await ctx.db
			.selectFrom("recording")
			.select("id")
			.where("organizationId", "=", organizationId)
			.limit(1)
			.executeTakeFirst();
		const attachment = await ctx.db
			.selectFrom("attachment")
			.select("id")
			.where("organizationId", "=", organizationId)
			.limit(1)
			.executeTakeFirst();
		if (recording !== undefined || attachment !== undefined) return false;
		// Jobs refer to runners without a cascade.
		await ctx.db.deleteFrom("job").where("organizationId", "=", organizationId).execute();
		await ctx.db.deleteFrom("organization").where("id", "=", organizationId).execute();
		for (const table of COUNTS) {
			await sql`delete from ${sql.table(table)} where "organizationId" = ${organizationId}`.execute(ctx.db);
		}
		return true;
	});
}
