/** Signing in by password or single sign-on, the first set-up, invitations and password resets. */

import type { SetupBody, SignUpBody } from "@tapedeck/contract/account.ts";
import { ApiError, call } from "#lib/client/api.ts";

/** @throws ApiError with a message for the person who signs in. */
export async function signIn(email: string, password: string): Promise<void> {
	try {
		await call("POST", "/api/auth/sign-in/email", { body: { email, password } });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const detail =
			error.status === 401 || error.status === 400
				? "Incorrect email or password."
				: error.status === 429
					? "Too many attempts. Wait a few minutes, then try again."
					: error.message;
		throw new ApiError({ status: error.status, code: error.code, detail });
	}
}

/** Creates the first owner and the organization. */
export const setUp = (body: SetupBody): Promise<void> => call("POST", "/v1/setup", { body });

/** Creates an account from an invitation link and signs it in. */
export const signUp = (body: SignUpBody): Promise<void> => call("POST", "/v1/sign-up", { body });

/** Sets a new password with a reset link. */
export const resetPassword = (token: string, password: string): Promise<void> =>
	call("POST", "/v1/password-reset", { body: { token, password } });

/**
 * Redirects to the single sign-on provider, which returns to `target` signed in, or to `refused` with an `error`.
 * @param how `link-social` links the identity to the signed-in account.
 */
export async function goToProvider(
	target: string,
	refused: string,
	how: "sign-in/social" | "link-social" = "sign-in/social",
): Promise<void> {
	const body = { provider: "oidc", callbackURL: target, errorCallbackURL: refused };
	const { url } = await call<{ url: string }>("POST", `/api/auth/${how}`, { body });
	location.assign(url);
}

/** Why a session that was open has ended. */
export const SESSION_ENDS = ["expired", "signed-out"] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** Where to go after signing in: always a path of this site. */
export function safeNext(next: string | null | undefined): string {
	if (typeof next !== "string" || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/jobs";
	const url = new URL(next, "http://here.invalid");
	return url.host === "here.invalid" ? url.pathname + url.search + url.hash : "/jobs";
}
