import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { readMember } from "./list-members.ts";
import { assertAnotherOwner, assertMayGive, changeMembers } from "../membership.ts";
import { revokeKeysOf } from "../credentials/revoke-credential.ts";

/**
 * Takes a member out of the organization, or lets the caller leave it. From the next call on the member's sessions
 * are worth nothing here, and neither are the keys and invitations that the member made. The account stays.
 * @throws forbidden for members and viewers who mean somebody else, and for admins who mean an owner; not_found
 * when the organization has no such member; conflict for the last owner.
 */
export async function removeMember(ctx: Context, userId: number): Promise<void> {
	return changeMembers(ctx, async (ctx, caller) => {
		const { organizationId } = ctx.actor;
		const leaves = userId === caller.userId;
		if (!leaves) assertMayGive(caller.role, "viewer");
		const { name, role } = await readMember(ctx, userId);
		if (!leaves) assertMayGive(caller.role, role);
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
