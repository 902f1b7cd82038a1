/** `/v1/views`: searches that people gave a name. A person's own are theirs alone; an organization's are everyone's. */
import type { AuditAction } from "@tapedeck/contract/audit.ts";
import { can } from "@tapedeck/contract/permissions.ts";
import type { ChangeView, CreateView, ListViewsQuery, SavedView } from "@tapedeck/contract/view.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { SavedViewTable } from "#lib/db/schema.ts";

type ViewRow = Selectable<SavedViewTable>;

/** For each person, and for each organization. A menu with more would need a search of its own. */
export const MAX_VIEWS = 100;

/** The caller's own views and the organization's, by name. */
export async function listViews(ctx: Context, { page }: ListViewsQuery): Promise<SavedView[]> {
	const rows = await viewsOf(ctx)
		.$if(page !== undefined, (views) => views.where("page", "=", page ?? "jobs"))
		.execute();
	return rows
		.map(viewOf)
		.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }) || one.id - other.id);
}

/** @throws forbidden for an organization's view of a viewer; conflict if there are too many. */
export async function createView(ctx: Context, { shared, ...view }: CreateView): Promise<SavedView> {
	const { organizationId } = ctx.actor;
	const userId = shared ? null : userIdOf(ctx);
	if (shared) assertMayShare(ctx);
	return inTransaction(ctx, async (ctx) => {
		const { count } = await ctx.db
			.selectFrom("savedView")
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.where("organizationId", "=", organizationId)
			.where("userId", userId === null ? "is" : "=", userId)
			.executeTakeFirstOrThrow();
		if (Number(count) >= MAX_VIEWS) {
			const whose = shared ? "The organization has" : "You have";
			throw new TapedeckError("conflict", `${whose} ${MAX_VIEWS} saved views already. Delete one first.`);
		}
		const row = await ctx.db
			.insertInto("savedView")
			.values({ organizationId, userId, ...view, createdAt: ctx.clock.now() })
			.returningAll()
			.executeTakeFirstOrThrow();
		await auditShared(ctx, "view.created", row);
		return viewOf(row);
	});
}

/** Changes the name or the query. @throws not_found; forbidden for an organization's view of a viewer */
export async function changeView(ctx: Context, viewId: number, changes: ChangeView): Promise<SavedView> {
	await findView(ctx, viewId);
	return inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("savedView")
			.set(changes)
			.where("id", "=", viewId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("view");
		await auditShared(ctx, "view.changed", row);
		return viewOf(row);
	});
}

/** @throws not_found; forbidden for an organization's view of a viewer */
export async function deleteView(ctx: Context, viewId: number): Promise<void> {
	await findView(ctx, viewId);
	await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db.deleteFrom("savedView").where("id", "=", viewId).returningAll().executeTakeFirst();
		if (row === undefined) throw notFound("view");
		await auditShared(ctx, "view.deleted", row);
	});
}

/** @returns the views that the caller may see. */
function viewsOf(ctx: Context) {
	const userId = userIdOf(ctx);
	return ctx.db
		.selectFrom("savedView")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where((view) => view.or([view("userId", "is", null), view("userId", "=", userId)]));
}

/** A view that the caller may change. */
async function findView(ctx: Context, viewId: number): Promise<ViewRow> {
	const row = await viewsOf(ctx).where("id", "=", viewId).executeTakeFirst();
	if (row === undefined) throw notFound("view");
	if (row.userId === null) assertMayShare(ctx);
	return row;
}

function userIdOf({ actor }: Context): number {
	// The permission admits only people.
	if (actor.kind !== "user") throw new TapedeckError("forbidden", "Only signed-in users have views.");
	return actor.userId;
}

function assertMayShare({ actor }: Context): void {
	if (actor.kind === "user" && can(actor.role, "recordings:write")) return;
	throw new TapedeckError(
		"forbidden",
		"The organization's views can be changed by members, and your role is viewer. Save a view of your own, or ask an admin to change your role.",
	);
}

/** Only what others have is of interest to others. */
async function auditShared(ctx: Context, action: AuditAction, row: ViewRow): Promise<void> {
	if (row.userId !== null) return;
	await audit(ctx, { action, detail: { viewId: row.id, view: row.name, page: row.page, query: row.query } });
}

const viewOf = ({ id, page, name, query, userId, createdAt }: ViewRow): SavedView => ({
	id,
	page,
	name,
	query,
	shared: userId === null,
	createdAt: timestamp(createdAt),
});
