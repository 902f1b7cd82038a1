/** A signed-in person who changes how the account signs in. */
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import type { Auth, Session } from "../better-auth/auth.ts";

export interface Caller {
	auth: Auth;
	session: Session;
	headers: RequestHeaders;
}

/**
 * @param field the field of the body that has the password.
 * @param elsewhere what to know about an account that signs in with single sign-on.
 * @throws validation_failed at the field; conflict for an account without a password; too_many_requests after too many
 *   wrong passwords.
 */
export async function assertPassword(
	{ auth, session, headers }: Caller,
	{ password, field, elsewhere }: { password: string; field: string; elsewhere: string },
): Promise<void> {
	const isRight = await auth.verifyPassword(session, password, headers);
	if (isRight === null) throw new TapedeckError("conflict", `Your account has no password. ${elsewhere}`);
	if (!isRight) throw invalid({ path: field, code: "invalid", message: "This is not your current password." });
}
