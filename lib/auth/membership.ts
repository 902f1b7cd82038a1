/** What every change of an organization's members has in common: a lock, the caller's role as it is now, and the last owner. */

import type { Role } from "../contract/organization.ts";
import { rolesWithin } from "../contract/permissions.ts";
import type { Actor, Context, Database } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { forgetCredentials } from "./credential-cache.ts";

export interface Caller {
	userId: number;
	role: Role;
}

/** @throws forbidden for API keys and runners: only people have members. */
export function userOf(ctx: Context): Extract<Actor, { kind: "user" }> {
	if (ctx.actor.kind === "user") return ctx.actor;
	throw new TapedeckError("forbidden", "This call is for signed-in users.");
}

/**
 * Changes members in one transaction that holds all others back: who may, and who is the last owner, is read after
 * the lock and so cannot change under the hands of two callers. Afterwards every call is judged anew, and pages are told.
 * @throws forbidden when the caller is no member any more; whatever `work` throws.
 */
export async function changeMembers<T>(ctx: Context, work: (ctx: Context, caller: Caller) => Promise<T>): Promise<T> {
	const { userId, organizationId } = userOf(ctx);
	const result = await inTransaction(ctx, async (ctx) => {
		await holdMembers(ctx.db, organizationId);
		const role = await roleIn(ctx.db, organizationId, userId);
		if (role === null) throw new TapedeckError("forbidden", "You do not belong to this organization any more.");
		return work(ctx, { userId, role });
	});
	membersChanged(ctx, organizationId);
	return result;
}

/** Until the transaction ends, nobody else changes members of this organization. */
export async function holdMembers(db: Database, organizationId: number): Promise<void> {
	await db
		.updateTable("organization")
		.set((eb) => ({ name: eb.ref("name") }))
		.where("id", "=", organizationId)
		.execute();
}

/** After the commit. */
export function membersChanged(deps: Pick<Context, "db" | "facts">, organizationId: number): void {
	forgetCredentials(deps.db);
	deps.facts.publish({ type: "members", organizationId });
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

/** @throws forbidden when one of these roles is above what the caller may give and take. */
export function assertMayGive(caller: Role, ...roles: Role[]): void {
	const within = rolesWithin(caller);
	if (roles.every((role) => within.includes(role))) return;
	throw new TapedeckError(
		"forbidden",
		caller === "admin"
			? "Only an owner may make, change or remove owners."
			: "Only an owner or admin of the organization may do this.",
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
		"This is the organization's last owner. Make somebody else an owner first, or transfer the ownership.",
	);
}
