/** What people change about themselves. */
import type { ChangePasswordBody } from "../contract/account.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { invalid, TapedeckError } from "../core/errors.ts";
import type { Auth, Session } from "./auth.ts";
import { membersChanged, userOf } from "./membership.ts";
import { endOtherSessions } from "./sessions.ts";

/** The name that others see, in every organization. */
export async function changeName(ctx: Context, name: string): Promise<void> {
	const { userId, organizationId } = userOf(ctx);
	await ctx.db.updateTable("user").set({ name }).where("id", "=", userId).execute();
	membersChanged(ctx, organizationId);
}

/**
 * Changes the caller's password; this session goes on, the others if wanted.
 * @throws validation_failed at `currentPassword`; conflict for an account without a password; too_many_requests
 * after many wrong ones.
 */
export async function changePassword(
	ctx: Context,
	{ auth, session, headers }: { auth: Auth; session: Session; headers: Headers },
	{ currentPassword, newPassword, endOtherSessions: others }: ChangePasswordBody,
): Promise<void> {
	const { userId, name } = userOf(ctx);
	const outcome = await auth.changePassword({ email: session.email, currentPassword, newPassword }, headers);
	if (outcome === "wrong_password") {
		throw invalid({ path: "currentPassword", code: "invalid", message: "This is not your current password." });
	}
	if (outcome === "no_password") {
		throw new TapedeckError("conflict", "Your account has no password: you sign in with your organization's provider.");
	}
	await audit(ctx, { action: "password.changed", target: { kind: "user", id: userId, name } });
	if (others) await endOtherSessions(ctx, session.id);
}
