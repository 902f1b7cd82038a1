/** What pages say and call, without secrets, and as long as a line of a track may be. */
import { isSecretName, type SecretMask } from "@tapedeck/client";
import { cutText } from "./text.ts";

/** Of a text, and of an address or a name, in bytes: one and two of them fit into a line of 16 KiB. */
const MAX_TEXT_BYTES = 10 * 1024;
const MAX_NAME_BYTES = 2 * 1024;
/** What is longer is cut before it is searched for secrets. */
const MAX_CHARACTERS = 64 * 1024;

const REPLACEMENT = "***";
/** Of signed addresses. */
const SIGNATURE = /^(x_amz_)?sig(nature)?$/i;
/** The name and the value of a parameter in an address, also where the whole address is the value of another one. */
const PARAMETERS = [
	/([?&;#])([^?&;#=\s"'<>]{1,100})(=)([^&;#\s"'<>]+)/g,
	/(%3f|%26|%23)([\w.~-]{1,100})(%3d)((?:(?!%26|%23)[^&;#\s"'<>])+)/gi,
];
/** The password in `https://name:password@host`. */
const PASSWORD = /(\/\/[^/?#\s:@"'<>]*:)[^/?#\s@"'<>]+(?=@)/g;

/** A message or a stack. */
export const safeText = (text: string, mask: SecretMask): string => cutText(masked(text, mask), MAX_TEXT_BYTES);

export const safeUrl = (url: string, mask: SecretMask): string => cutText(masked(url, mask), MAX_NAME_BYTES);

/** The name of a test, where what looks like a header is none. */
export const safeName = (name: string, mask: SecretMask): string => cutText(mask.applyToName(name), MAX_NAME_BYTES);

/** Masked before it is cut to its length: what is left of a secret would not be recognized. */
function masked(text: string, mask: SecretMask): string {
	const known = text.length > MAX_CHARACTERS ? mask.applyToCut(text.slice(0, MAX_CHARACTERS)) : mask.apply(text);
	return PARAMETERS.reduce(maskParameters, known).replace(PASSWORD, `$1${REPLACEMENT}`);
}

const maskParameters = (text: string, parameters: RegExp): string =>
	text.replace(parameters, (whole, before: string, name: string, equals: string) =>
		isSecretParameter(name) ? before + name + equals + REPLACEMENT : whole,
	);

/** `access-token`, `user[password]` and `apiKey` are named like variables. */
function isSecretParameter(name: string): boolean {
	const plain = name.replace(/%5b|%5d|\W/gi, "_").replace(/_+$/, "");
	return isSecretName(plain) || SIGNATURE.test(plain);
}
