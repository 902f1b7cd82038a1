import type { Organization } from "../../contract/member.ts";
import { assertMayAdminister } from "../../core/access.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { insertMember, insertOrganization } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { forgetCredentials } from "../credential-cache.ts";
import { membersChanged, userOf } from "../membership.ts";

/**
 * Makes another organization, owned by the caller, who goes on acting for the present one.
 * @throws forbidden for everyone but owners and admins of the present one: whoever was only let in to work does not
 * open rooms of their own on this disk.
 */
export async function createOrganization(ctx: Context, name: string): Promise<Organization> {
	assertMayAdminister(ctx);
	const { userId } = userOf(ctx);
	const now = ctx.clock.now();
	const id = await inTransaction(ctx, async (ctx) => {
		const trx = accountTables(ctx.db);
		const organizationId = await insertOrganization(trx, name, now);
		await insertMember(trx, { organizationId, userId, role: "owner" }, now);
		const target = { kind: "organization", id: organizationId, name } as const;
		// The first line of the new organization's own log.
		await audit({ ...ctx, actor: { ...ctx.actor, organizationId } }, { action: "organization.created", target });
		return organizationId;
	});
	forgetCredentials(ctx.db);
	return { id, name };
}

/** @throws forbidden for everyone but owners and admins. */
export async function renameOrganization(ctx: Context, name: string): Promise<Organization> {
	assertMayAdminister(ctx);
	const id = ctx.actor.organizationId;
	await inTransaction(ctx, async (ctx) => {
		await ctx.db.updateTable("organization").set({ name }).where("id", "=", id).execute();
		await audit(ctx, { action: "organization.updated", target: { kind: "organization", id, name } });
	});
	membersChanged(ctx, id);
	return { id, name };
}
