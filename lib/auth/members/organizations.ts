import type { Organization } from "@tapedeck/contract/organization.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { insertMember, insertOrganization } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { membersChanged, userOf } from "./membership.ts";

/**
 * Creates another organization, owned by the caller, whose active organization stays the same. For owners and admins
 * only: members must not be able to multiply their share of the disk.
 */
export async function createOrganization(ctx: Context, name: string): Promise<Organization> {
	const { userId } = userOf(ctx);
	const now = ctx.clock.now();
	const id = await inTransaction(ctx, async (ctx) => {
		const trx = accountTables(ctx.db);
		const organizationId = await insertOrganization(trx, name, now);
		await insertMember(trx, { organizationId, userId, role: "owner" }, now);
		const target = { kind: "organization", id: organizationId, name } as const;
		// Recorded as the first entry of the new organization's own audit log.
		await audit({ ...ctx, actor: { ...ctx.actor, organizationId } }, { action: "organization.created", target });
		return organizationId;
	});
	ctx.credentials.forget();
	return { id, name };
}

export async function renameOrganization(ctx: Context, name: string): Promise<Organization> {
	const id = ctx.actor.organizationId;
	await inTransaction(ctx, async (ctx) => {
		await ctx.db.updateTable("organization").set({ name }).where("id", "=", id).execute();
		await audit(ctx, { action: "organization.updated", target: { kind: "organization", id, name } });
	});
	membersChanged(ctx, id);
	return { id, name };
}
