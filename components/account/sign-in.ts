/** Signing in by password or single sign-on, the first set-up, invitations and password resets. */

import type { SetupBody, SignUpBody } from "@tapedeck/contract/account.ts";
import { ApiError, call } from "#lib/client/api.ts";

/**
 * @returns whether a second factor is still needed.
 * @throws ApiError with a message for the person who signs in.
 */
export async function signIn(email: string, password: string): Promise<boolean> {
	try {
		const body = { email, password };
		const answer = await call<{ twoFactorRedirect?: boolean }>("POST", "/api/auth/sign-in/email", { body });
		return answer.twoFactorRedirect === true;
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

/** An attempt to sign in that has ended, because it took too long or had too many wrong codes. */
export class SignInOver extends Error {
	override name = "SignInOver";
}

/**
 * Completes signing in with a code of an authenticator app, or with a backup code.
 * @param trust whether this browser needs no code for 30 days.
 * @throws SignInOver; ApiError with a message for the person who signs in.
 */
export async function sendCode(kind: "totp" | "backup-code", code: string, trust: boolean): Promise<void> {
	try {
		const body = { code: kind === "totp" ? code.replaceAll(" ", "") : code.trim(), trustDevice: trust };
		await call("POST", `/api/auth/two-factor/verify-${kind}`, { body });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (error.code === "INVALID_TWO_FACTOR_COOKIE") throw new SignInOver("This took too long. Sign in again.");
		if (error.code.startsWith("TOO_MANY_ATTEMPTS")) throw new SignInOver("Too many wrong codes. Sign in again.");
		const isWrong = error.status === 401 || error.status === 400;
		const message =
			kind === "totp" ? "This is not the app's current code." : "This is none of your unused backup codes.";
		throw isWrong ? new ApiError({ status: error.status, code: error.code, detail: message }) : error;
	}
}

/** Creates the first owner and the organization. */
export const setUp = (body: SetupBody): Promise<void> => call("POST", "/v1/setup", { body });

/** Creates an account from an invitation link and signs it in. */
export const signUp = (body: SignUpBody): Promise<void> => call("POST", "/v1/sign-up", { body });

/** Sets a new password with a reset link. */
export const resetPassword = (token: string, password: string): Promise<void> =>
	call("POST", "/v1/password-reset", { body: { token, password } });

/** Requests a link by email that sets a new password. */
export const requestPasswordReset = (email: string): Promise<void> =>
	call("POST", "/v1/password-reset/requests", { body: { email } });

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

/** The page to open after signing in: always a path of this site. */
export function safeNext(next: string | null | undefined): string {
	if (typeof next !== "string" || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/jobs";
	const url = new URL(next, "http://here.invalid");
	return url.host === "here.invalid" ? url.pathname + url.search + url.hash : "/jobs";
}
