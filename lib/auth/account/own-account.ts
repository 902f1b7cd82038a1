/** Changes that people make to their own account. */
import type { ChangePasswordBody } from "@tapedeck/contract/account.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { setPasswordHash } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { hashNewPassword } from "../better-auth/new-password.ts";
import { endConfirmedSignIns } from "../credentials/device-sign-in.ts";
import { membersChanged, userOf } from "../members/membership.ts";
import { assertPassword, type Caller } from "./caller.ts";
import { deleteOtherSessions } from "./sessions.ts";

/** Changes the name that others see, in every organization. */
export async function changeName(ctx: Context, name: string): Promise<void> {
	const { userId, organizationId } = userOf(ctx);
	await ctx.db.updateTable("user").set({ name }).where("id", "=", userId).execute();
	membersChanged(ctx, organizationId);
}

/**
 * Changes the caller's password. This session stays signed in; the others are ended on request.
 * @throws validation_failed at `currentPassword`; conflict for an account without a password; too_many_requests after
 *   too many wrong passwords.
 */
export async function changePassword(
	ctx: Context,
	caller: Caller,
	{ currentPassword, newPassword, endOtherSessions: others }: ChangePasswordBody,
): Promise<void> {
	const { userId, name } = userOf(ctx);
	const elsewhere = "You sign in with single sign-on.";
	await assertPassword(caller, { password: currentPassword, field: "currentPassword", elsewhere });
	const { session } = caller;
	const passwordHash = await hashNewPassword({
		password: newPassword,
		field: "newPassword",
		personal: [session.email, session.name],
	});
	await inTransaction(ctx, async (ctx) => {
		await setPasswordHash(accountTables(ctx.db), userId, passwordHash, ctx.clock.now());
		await endConfirmedSignIns(ctx, userId);
		await audit(ctx, { action: "password.changed", target: { kind: "user", id: userId, name } });
		if (others) await deleteOtherSessions(ctx, session.id);
	});
	ctx.credentials.forget();
}
