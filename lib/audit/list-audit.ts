/** Reads the audit log, by page or as a whole. For owners and admins. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AuditEntry, AuditFilters, ListAuditQuery } from "@tapedeck/contract/audit.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { timestamp } from "#lib/core/times.ts";
import type { AuditEntryTable } from "#lib/db/schema.ts";

const EXPORT_PAGE = 500;

/** The organization's entries, newest first. @throws validation_failed at `cursor`. */
export async function listAudit(ctx: Context, query: ListAuditQuery): Promise<Page<AuditEntry>> {
	let rows = matching(ctx, query)
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, auditView);
}

/**
 * Answers with the organization's entries, oldest first, one JSON object per line. Reads from the database as the client
 * reads, so that a log of any length needs little memory.
 */
export async function serveAudit(
	ctx: Context,
	{ filters, req, res }: { filters: AuditFilters; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	res.writeHead(200, {
		"content-type": "application/x-ndjson",
		"content-disposition": 'attachment; filename="tapedeck-audit-log.ndjson"',
		"cache-control": "no-store",
	});
	if (req.method === "HEAD") res.end();
	else await pipeline(Readable.from(lines(ctx, filters), { highWaterMark: 1 }), res);
}

async function* lines(ctx: Context, filters: AuditFilters): AsyncGenerator<string> {
	for (let after = 0; ; ) {
		const rows = await matching(ctx, filters).where("id", ">", after).orderBy("id").limit(EXPORT_PAGE).execute();
		const last = rows.at(-1);
		if (last === undefined) return;
		yield rows.map((row) => `${JSON.stringify(auditView(row))}\n`).join("");
		after = last.id;
	}
}

function matching(ctx: Context, { actor, action, target, address, after, before }: AuditFilters) {
	let rows = ctx.reads.selectFrom("auditEntry").selectAll().where("organizationId", "=", ctx.actor.organizationId);
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
	at: timestamp(row.at),
	actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
	address: row.address,
	action: row.action,
	target: row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId, name: row.targetName },
	detail: JSON.parse(row.detail) as Record<string, unknown>,
});
