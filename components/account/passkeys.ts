/** Passkeys in the browser: created for the signed-in account, and used to sign in. */
import type { NewPasskey, PasskeyOptions } from "@tapedeck/contract/account.ts";
import { ApiError, call } from "#lib/client/api.ts";

/**
 * Lets the person create a passkey on a device.
 * @throws ApiError with a message for the person.
 */
export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey["response"]> {
	const created = await ask(() => {
		const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
			options as unknown as PublicKeyCredentialCreationOptionsJSON,
		);
		return navigator.credentials.create({ publicKey });
	});
	const { id, rawId, type, response } = created.toJSON() as NewPasskey["response"];
	const { clientDataJSON, attestationObject, transports } = response;
	return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

/**
 * Signs in with a passkey, which needs neither password nor code.
 * @throws ApiError with a message for the person.
 */
export async function signInWithPasskey(): Promise<void> {
	const options = await call<PublicKeyCredentialRequestOptionsJSON>(
		"GET",
		"/api/auth/passkey/generate-authenticate-options",
	);
	const used = await ask(() =>
		navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
	);
	try {
		await call("POST", "/api/auth/passkey/verify-authentication", { body: { response: used.toJSON() } });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (error.code === "PASSKEY_NOT_FOUND") throw refused("No account has this passkey. It may have been removed.");
		if (error.code === "USER_NOT_VERIFIED") throw refused(NOT_VERIFIED);
		throw error.status === 400 ? refused("This passkey was not accepted. Try again.") : error;
	}
}

const NOT_VERIFIED = "This device did not verify you. Use one with a PIN, a fingerprint or your face.";

async function ask(prompt: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
	if (typeof PublicKeyCredential === "undefined" || !("parseRequestOptionsFromJSON" in PublicKeyCredential)) {
		throw refused("This browser can't use passkeys here. Use a current one, and Tapedeck's https address.");
	}
	try {
		const credential = await prompt();
		if (credential !== null) return credential as PublicKeyCredential;
	} catch (error) {
		const name = error instanceof DOMException ? error.name : "";
		if (name === "InvalidStateError") throw refused("This device already has a passkey for your account.");
		if (name === "SecurityError") throw refused("Passkeys work only at the address of Tapedeck that its links have.");
		if (name === "ConstraintError" || name === "NotSupportedError") throw refused(NOT_VERIFIED);
		if (name !== "NotAllowedError") throw error;
	}
	throw refused("No passkey was used. It was cancelled, took too long, or your device has none.");
}

const refused = (detail: string) => new ApiError({ status: 400, code: "passkey", detail });
