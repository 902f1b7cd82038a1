/** Signing in, signing out, and the very first visit. */
import type { SetupBody } from "../contract/organization.ts";
import { ApiError, call } from "./api.ts";

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
					? "Too many attempts. Wait a minute, then try again."
					: error.message;
		throw new ApiError({ status: error.status, code: error.code, detail });
	}
}

export const signOut = (): Promise<void> => call("POST", "/api/auth/sign-out", { body: {} });

/** Makes the first owner and the organization. */
export const setUp = (body: SetupBody): Promise<void> => call("POST", "/v1/setup", { body });

/** Where to go after signing in: a path of this site, never another one. */
export function safeNext(next: string | null | undefined): string {
	if (typeof next !== "string" || !next.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/jobs";
	const url = new URL(next, "http://here.invalid");
	return url.host === "here.invalid" ? url.pathname + url.search + url.hash : "/jobs";
}
