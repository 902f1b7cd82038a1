/** Shared by all changes of members: a lock, the caller's current role, and the check for the last owner. */
import type { Role } from "@tapedeck/contract/permissions.ts";
import { rolesWithin } from "@tapedeck/contract/permissions.ts";
import { type Actor, type Context, type Database, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";

export interface Caller {
	userId: number;
	role: Role;
}

/** @throws forbidden for API keys and runners, which cannot manage members. */
export function userOf(ctx: Context): Extract<Actor, { kind: "user" }> {
	if (ctx.actor.kind === "user") return ctx.actor;
	throw new TapedeckError("forbidden", "Only signed-in users can make this call.");
}

/**
 * Changes members in one transaction that locks the organization: the caller's role and the last owner are read after
 * the lock, so that concurrent callers cannot invalidate them. Afterwards clears the credential cache and notifies
 * pages.
 * @throws forbidden when the caller is no longer a member; whatever `work` throws.
 */
export async function changeMembers<T>(ctx: Context, work: (ctx: Context, caller: Caller) => Promise<T>): Promise<T> {
	const { userId, organizationId } = userOf(ctx);
	const result = await inTransaction(ctx, async (ctx) => {
		await lockMembers(ctx.db, organizationId);
		const role = await roleIn(ctx.db, organizationId, userId);
		if (role === null) throw new TapedeckError("forbidden", "You are no longer a member of this organization.");
		return work(ctx, { userId, role });
	});
	membersChanged(ctx, organizationId);
	return result;
}

/** Blocks other changes of this organization's members until the transaction ends. */
export async function lockMembers(db: Database, organizationId: number): Promise<void> {
	await db
		.updateTable("organization")
		.set((eb) => ({ name: eb.ref("name") }))
		.where("id", "=", organizationId)
		.execute();
}

/** Clears the credential cache and notifies pages. Call it after the commit. */
export function membersChanged(deps: Pick<Context, "credentials" | "events">, organizationId: number): void {
	deps.credentials.forget();
	deps.events.publish({ type: "members", organizationId });
}

export async function roleIn(db: Database, organizationId: number, userId: number): Promise<Role | null> {
	const row = await db
		.selectFrom("member")
		.select("role")
		.where("organizationId", "=", organizationId)
		.where("userId", "=", userId)
		.executeTakeFirst();
	return row?.role ?? null;
}

/** @throws forbidden when the caller may not grant or revoke one of these roles. */
export function assertMayGrant(caller: Role, ...roles: Role[]): void {
	const within = rolesWithin(caller);
	if (roles.every((role) => within.includes(role))) return;
	throw new TapedeckError(
		"forbidden",
		caller === "admin" ? "Only owners can add, change or remove owners." : "Only owners and admins can do this.",
	);
}

/** @throws conflict when the organization would be left without an owner. */
export async function assertAnotherOwner(db: Database, organizationId: number, userId: number): Promise<void> {
	const other = await db
		.selectFrom("member")
		.select("id")
		.where("organizationId", "=", organizationId)
		.where("role", "=", "owner")
		.where("userId", "<>", userId)
		.limit(1)
		.executeTakeFirst();
	if (other !== undefined) return;
	throw new TapedeckError(
		"conflict",
		"This is the organization's last owner. Make someone else an owner first, or transfer ownership.",
	);
}
