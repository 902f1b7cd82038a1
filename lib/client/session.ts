/** Signing in, signing out, and the very first visit. */
import { queryOptions } from "@tanstack/react-query";
import type { SignUpBody } from "../contract/account.ts";
import type { SessionUser, SetupBody } from "../contract/organization.ts";
import { ApiError, call } from "./api.ts";

export const sessionKeys = { me: ["me"] as const, list: ["sessions"] as const };

/** Who is signed in, as the server sees it now. */
export const meQuery = () =>
	queryOptions({
		queryKey: sessionKeys.me,
		queryFn: ({ signal }) => call<SessionUser>("GET", "/v1/me", { signal }),
	});

/** @throws ApiError with words for the person who signs in. */
export async function signIn(email: string, password: string): Promise<void> {
	try {
		await call("POST", "/api/auth/sign-in/email", { body: { email, password } });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const detail =
			error.status === 401 || error.status === 400
				? "E-mail or password is not right. Check both, and whether Caps Lock is on."
				: error.status === 429
					? "Too many attempts. Wait some minutes, then try again."
					: error.message;
		throw new ApiError({ status: error.status, code: error.code, detail });
	}
}

export const signOut = (): Promise<void> => call("POST", "/api/auth/sign-out", { body: {} });

/** Makes the first owner and the organization. */
export const setUp = (body: SetupBody): Promise<void> => call("POST", "/v1/setup", { body });

/** Makes an account with a link that invites; signed in from then on. */
export const signUp = (body: SignUpBody): Promise<void> => call("POST", "/v1/sign-up", { body });

/** Chooses a new password with the link that an admin made. */
export const resetPassword = (token: string, password: string): Promise<void> =>
	call("POST", "/v1/password-reset", { body: { token, password } });

/**
 * Goes to the provider of single sign-on, and comes back to `target` signed in, or to `refused` with an `error`.
 * @param how `link-social` connects the account that is signed in.
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

/** Where to go after signing in: a path of this site, never another one. */
export function safeNext(next: string | null | undefined): string {
	if (typeof next !== "string" || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/jobs";
	const url = new URL(next, "http://here.invalid");
	return url.host === "here.invalid" ? url.pathname + url.search + url.hash : "/jobs";
}
