import { audit } from "#lib/audit/write-audit.ts";
import type { Context } from "#lib/core/context.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { revokeKeysOf } from "../credentials/revoke-credential.ts";
import { readMember } from "./list-members.ts";
import { assertAnotherOwner, assertMayGrant, changeMembers } from "./membership.ts";

/**
 * Removes a member from the organization, or lets the caller leave it. From the next call on, the member's sessions
 * give no access here, and the keys and invitations that the member created stop working. The account remains.
 * @throws forbidden for members and viewers who remove someone else, and for admins who remove an owner; not_found when
 *   the organization has no such member; conflict for the last owner.
 */
export async function removeMember(ctx: Context, userId: number): Promise<void> {
	return changeMembers(ctx, async (ctx, caller) => {
		const { organizationId } = ctx.actor;
		const leaves = userId === caller.userId;
		if (!leaves) assertMayGrant(caller.role, "viewer");
		const { name, role } = await readMember(ctx, userId);
		if (!leaves) assertMayGrant(caller.role, role);
		if (role === "owner") await assertAnotherOwner(ctx.db, organizationId, userId);
		const trx = accountTables(ctx.db);
		await trx.deleteFrom("member").where("organizationId", "=", organizationId).where("userId", "=", userId).execute();
		await trx
			.updateTable("session")
			.set({ activeOrganizationId: null })
			.where("userId", "=", userId)
			.where("activeOrganizationId", "=", String(organizationId))
			.execute();
		await revokeKeysOf(ctx, userId);
		await audit(ctx, {
			action: leaves ? "member.left" : "member.removed",
			target: { kind: "user", id: userId, name },
			detail: { role },
		});
	});
}
