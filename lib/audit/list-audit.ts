/** Reading the audit log: page by page, or all of it. For owners and admins. */
import { Readable } from "node:stream";
import type { Selectable } from "kysely";
import type { AuditEntry, AuditFilters, ListAuditQuery } from "../contract/audit.ts";
import type { Page } from "../contract/page.ts";
import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { pageFrom, readCursor } from "../core/cursor.ts";
import type { AuditEntryTable } from "../db/schema.ts";
import type { Watch } from "../auth/watch-credential.ts";

const EXPORT_PAGE = 500;

/** The organization's entries, newest first. @throws forbidden; validation_failed at `cursor`. */
export async function listAudit(ctx: Context, query: ListAuditQuery): Promise<Page<AuditEntry>> {
	assertMayAdminister(ctx);
	let rows = matching(ctx, query)
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, auditView);
}

/**
 * The organization's entries from the oldest on, one JSON object a line. Read as they are asked for, so that a log of
 * any length needs little memory.
 * @param watch begins to watch whether the caller is still let in: when not, the answer breaks off.
 * @throws forbidden, before the first line.
 */
export function exportAudit(ctx: Context, filters: AuditFilters, watch: () => Watch): ReadableStream {
	assertMayAdminister(ctx);
	return Readable.toWeb(Readable.from(lines(ctx, filters, watch), { highWaterMark: 1 })) as ReadableStream;
}

async function* lines(ctx: Context, filters: AuditFilters, watch: () => Watch): AsyncGenerator<string> {
	const { signal, end } = watch();
	try {
		for (let after = 0; ; ) {
			const rows = await matching(ctx, filters).where("id", ">", after).orderBy("id").limit(EXPORT_PAGE).execute();
			const last = rows.at(-1);
			if (last === undefined) return;
			signal.throwIfAborted();
			yield rows.map((row) => `${JSON.stringify(auditView(row))}\n`).join("");
			after = last.id;
		}
	} finally {
		end();
	}
}

function matching(ctx: Context, { actor, action, target, address, after, before }: AuditFilters) {
	let rows = ctx.db.selectFrom("auditEntry").selectAll().where("organizationId", "=", ctx.actor.organizationId);
	if (actor !== undefined) {
		rows = rows.where("actorKind", "=", actor.kind);
		if (actor.id !== null) rows = rows.where("actorId", "=", actor.id);
	}
	if (action !== undefined) rows = rows.where("action", "in", action);
	if (target !== undefined) {
		rows = rows.where("targetKind", "=", target.kind);
		if (target.id !== null) rows = rows.where("targetId", "=", target.id);
	}
	if (address !== undefined) rows = rows.where("address", "=", address);
	if (after !== undefined) rows = rows.where("at", ">=", after);
	if (before !== undefined) rows = rows.where("at", "<", before);
	return rows;
}

const auditView = (row: Selectable<AuditEntryTable>): AuditEntry => ({
	id: row.id,
	organizationId: row.organizationId,
	at: new Date(row.at).toISOString(),
	actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
	address: row.address,
	action: row.action,
	target: row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId, name: row.targetName },
	detail: JSON.parse(row.detail) as Record<string, unknown>,
});
