/** A device with a passkey, in software: WebAuthn with ES256 and without attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Flags of the authenticator data: the user was there, and the device has verified who it is. */
const PRESENT = 1;
const VERIFIED = 4;
/** A new key follows. */
const HAS_KEY = 64;

interface Ceremony {
	/** The options that the dashboard sent, with the domain of the passkey: `rp.id` to create one, `rpId` to use it. */
	options: { challenge: string } & ({ rp: { id: string } } | { rpId: string });
	origin: string;
	/** Whether the device verifies its user. */
	verified?: boolean;
}

const base64Url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

export function createPasskeyDevice() {
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const id = randomBytes(16);
	let uses = 0;

	function authenticatorData({ options }: Ceremony, flags: number): Buffer {
		const domain = "rp" in options ? options.rp.id : options.rpId;
		const counter = Buffer.alloc(4);
		uses += 1;
		counter.writeUInt32BE(uses);
		return Buffer.concat([sha256(domain), Buffer.of(flags), counter]);
	}
	const clientData = (type: string, { options, origin }: Ceremony) =>
		Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin, crossOrigin: false }));
	const flagsOf = ({ verified = true }: Ceremony) => PRESENT | (verified ? VERIFIED : 0);
	const common = { id: base64Url(id), rawId: base64Url(id), type: "public-key", clientExtensionResults: {} };

	return {
		/** @returns the answer of `navigator.credentials.create`. */
		create(ceremony: Ceremony) {
			const { x = "", y = "" } = publicKey.export({ format: "jwk" });
			// A CBOR map: type 2 (EC), algorithm -7 (ES256), curve 1 (P-256), and the coordinates as 32 bytes each.
			const key = [Buffer.from("a50102032620012158", "hex"), Buffer.of(32), Buffer.from(x, "base64url")];
			key.push(Buffer.from("225820", "hex"), Buffer.from(y, "base64url"));
			const credential = [Buffer.alloc(16), Buffer.of(0, id.length), id, ...key];
			const data = Buffer.concat([authenticatorData(ceremony, flagsOf(ceremony) | HAS_KEY), ...credential]);
			// {"fmt": "none", "attStmt": {}, "authData": data}
			const attestation = Buffer.concat([
				Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
				Buffer.of(data.length),
				data,
			]);
			const clientDataJSON = base64Url(clientData("webauthn.create", ceremony));
			const response = { clientDataJSON, attestationObject: base64Url(attestation), transports: ["internal"] };
			return { ...common, response };
		},
		/** @returns the answer of `navigator.credentials.get`. */
		get(ceremony: Ceremony) {
			const data = authenticatorData(ceremony, flagsOf(ceremony));
			const json = clientData("webauthn.get", ceremony);
			const signature = sign("sha256", Buffer.concat([data, sha256(json)]), privateKey);
			const response = {
				authenticatorData: base64Url(data),
				clientDataJSON: base64Url(json),
				signature: base64Url(signature),
			};
			return { ...common, response };
		},
	};
}
