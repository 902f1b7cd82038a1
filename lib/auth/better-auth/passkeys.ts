/**
 * Passkeys (WebAuthn) by better-auth's plug-in. A passkey signs in without a password and without a code, so it must be two
 * factors by itself: the device, and the PIN, fingerprint or face with which it has verified its user. The plug-in does not
 * require that verification, and would take any key that a user has found; this file requires it when a passkey is added
 * and at each sign-in.
 *
 * The plug-in's calls for signed-in people stay closed, because a browser that was left open could add a passkey.
 * `/v1/me/passkeys` asks for the password first.
 */
import { passkey } from "@better-auth/passkey";
import { APIError, createAuthMiddleware } from "better-auth/api";

/** The paths of the two calls that sign in. */
const BEGIN = "/passkey/generate-authenticate-options";
const VERIFY = "/passkey/verify-authentication";
/** Both begin an attempt to sign in, or end one. */
export const PASSKEY_PATHS: readonly string[] = [BEGIN, VERIFY];
/** WebAuthn allows ids of 1,023 bytes. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

export const NOT_VERIFIED = "USER_NOT_VERIFIED";
export const NOT_VERIFIED_MESSAGE = "This device did not verify you. Use one with a PIN, a fingerprint or your face.";

/** @param origins of the pages on which passkeys may be used. */
export const passkeys = (baseUrl: string, origins: readonly string[]) =>
	passkey({
		rpID: new URL(baseUrl).hostname,
		rpName: "Tapedeck",
		origin: [...origins],
		authenticatorSelection: { residentKey: "required", userVerification: "required" },
		registration: {
			afterVerification: ({ verification }) => assertVerified(verification.registrationInfo?.userVerified),
		},
		authentication: {
			afterVerification: ({ verification }) => assertVerified(verification.authenticationInfo.userVerified),
		},
		advanced: { webAuthnChallengeCookie: "passkey" },
	});

/** Browsers use passkeys on secure pages only, and for host names, but not for addresses. */
export function takesPasskeys(baseUrl: string): boolean {
	const { protocol, hostname } = new URL(baseUrl);
	const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
	return !isAddress && (protocol === "https:" || /(^|\.)localhost$/.test(hostname));
}

function assertVerified(isVerified: boolean | undefined): void {
	if (isVerified === true) return;
	throw new APIError("UNAUTHORIZED", { code: NOT_VERIFIED, message: NOT_VERIFIED_MESSAGE });
}

/** Checks and changes the calls that the plug-in has no options for. */
export const passkeyRules = () => ({
	id: "passkey-rules",
	hooks: {
		before: [
			{
				matcher: ({ path }: { path?: string }) => path === VERIFY,
				handler: createAuthMiddleware(async ({ body }) => {
					// The plug-in searches for any value, and PostgreSQL fails at some.
					if (typeof body?.response?.id === "string" && CREDENTIAL_ID.test(body.response.id)) return;
					throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: "Send the response of a passkey." });
				}),
			},
		],
		after: [
			{
				matcher: ({ path }: { path?: string }) => path === BEGIN,
				// The plug-in always writes "preferred", with which a key with a PIN may leave it out and is refused afterwards.
				handler: createAuthMiddleware(async ({ context: { returned } }) =>
					returned instanceof APIError ? undefined : { ...(returned as object), userVerification: "required" },
				),
			},
		],
	},
});
