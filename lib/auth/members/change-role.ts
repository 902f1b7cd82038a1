import type { Member } from "@tapedeck/contract/member.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { audit } from "#lib/audit/write-audit.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { readMember } from "./list-members.ts";
import { assertAnotherOwner, assertMayGrant, changeMembers } from "./membership.ts";

/**
 * Changes a member's role, effective from the member's next call.
 * @throws forbidden for admins who change an owner; not_found when the organization has no such member; conflict when
 *   the organization would be left without an owner.
 */
export async function changeRole(ctx: Context, userId: number, role: Role): Promise<Member> {
	return changeMembers(ctx, async (ctx, caller) => {
		const member = await readMember(ctx, userId);
		assertMayGrant(caller.role, member.role, role);
		if (member.role === role) return member;
		if (member.role === "owner") await assertAnotherOwner(ctx.db, ctx.actor.organizationId, userId);
		await setRole(ctx, userId, role);
		await audit(ctx, {
			action: "member.role_changed",
			target: { kind: "user", id: userId, name: member.name },
			detail: { from: member.role, to: role },
		});
		return { ...member, role };
	});
}

/**
 * Makes another member an owner and the calling owner an admin.
 * @throws not_found when the organization has no such other member.
 */
export async function transferOwnership(ctx: Context, userId: number): Promise<Member> {
	return changeMembers(ctx, async (ctx, caller) => {
		assertMayGrant(caller.role, "owner");
		if (userId === caller.userId) throw notFound("other member");
		const member = await readMember(ctx, userId);
		await setRole(ctx, userId, "owner");
		await setRole(ctx, caller.userId, "admin");
		await audit(ctx, {
			action: "organization.transferred",
			target: { kind: "user", id: userId, name: member.name },
		});
		return { ...member, role: "owner" };
	});
}

async function setRole({ db, actor }: Context, userId: number, role: Role): Promise<void> {
	await db
		.updateTable("member")
		.set({ role })
		.where("organizationId", "=", actor.organizationId)
		.where("userId", "=", userId)
		.execute();
}
