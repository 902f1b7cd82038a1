import type { Member } from "../../contract/member.ts";
import type { Role } from "../../contract/organization.ts";
import { assertMayAdminister } from "../../core/access.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { notFound } from "../../core/errors.ts";
import { readMember } from "./list-members.ts";
import { assertAnotherOwner, assertMayGive, changeMembers } from "../membership.ts";

/**
 * Gives a member another role. It counts from the member's next call on.
 * @throws forbidden for everyone but owners and admins, and for admins who touch an owner; not_found when the
 * organization has no such member; conflict when it would be left without an owner.
 */
export async function changeRole(ctx: Context, userId: number, role: Role): Promise<Member> {
	assertMayAdminister(ctx);
	return changeMembers(ctx, async (ctx, caller) => {
		const member = await readMember(ctx, userId);
		assertMayGive(caller.role, member.role, role);
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
 * Makes another member owner and the caller, who was one, admin.
 * @throws forbidden for everyone but owners; not_found when the organization has no such other member.
 */
export async function transferOwnership(ctx: Context, userId: number): Promise<Member> {
	return changeMembers(ctx, async (ctx, caller) => {
		assertMayGive(caller.role, "owner");
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
