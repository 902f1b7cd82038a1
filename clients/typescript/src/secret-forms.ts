/**
 * Secrets that are recognized by their form, whatever their value: headers with credentials, parameters and passwords
 * in addresses, JSON Web Tokens, and paths of webhooks. The Python client has the same rules: _secret_forms.py.
 *
 * Each pattern takes time in proportion to the text's length, even for hostile text: a part that repeats without a
 * limit cannot begin within itself.
 */

export const REPLACEMENT = "***";

/** For example GITHUB_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY or API_KEY. */
const SECRET_NAME = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$/i;
/** The current and the previous directory of a shell. */
const NO_SECRETS = new Set(["PWD", "OLDPWD"]);
/** Query parameters of signed addresses. */
const SIGNATURE = /^(x_amz_)?sig(nature)?$/i;

/** Headers that carry credentials, such as `Cookie` and `X-Api-Key`. */
const HEADER_NAME = String.raw`(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|secret))`;
const COLOUR = String.raw`\u001b\[[\d;:]{0,20}m`;
/** A quote, with backslashes in JSON that is within JSON. */
const QUOTE = String.raw`\\*["']`;
/** Text in quotes, up to one with as many backslashes (group 2) as the one (group 3) that began it. */
const QUOTED = String.raw`(\\*)(["'])(?:[^"'\\\r\n]|\\+(?!["'\\])|(?!\2\3)\\*["'])+`;
/** Up to the end of the line, or to the quote that the header is in. A cookie's own value may be quoted. */
const UNQUOTED = String.raw`[^\s"'\\](?:=\\*"[^"\r\n]*"|[^"'\\\r\n]|\\+(?!["'\\]))*`;
/** `Cookie: a=b`, `"Cookie": "a=b"` and `Cookie=a`, also after a line break that is escaped, and in colour. */
const HEADER = new RegExp(
	String.raw`((?:${COLOUR}|\b|(?<=\\[nrt]))${HEADER_NAME}(?:${COLOUR}){0,4}(?:${QUOTE})?\s*[:=]\s*(?:${COLOUR}){0,4})(?:${QUOTED}|${UNQUOTED})`,
	"gi",
);
/** An entry of a list of headers: `{"name":"Cookie","value":"a=b"}`. */
const HEADER_ENTRY = new RegExp(
	String.raw`(\b(?:name|key)(?:${QUOTE})?\s*:\s*${QUOTE}${HEADER_NAME}${QUOTE}\s*,\s*(?:${QUOTE})?value(?:${QUOTE})?\s*:\s*)${QUOTED}`,
	"gi",
);
const HEADER_ENTRY_BEGINS = new RegExp(String.raw`["']${HEADER_NAME}${QUOTE}\s*,`, "i");

/**
 * The name and the value of a parameter in an address, also in JSON that escapes `&` and `=`, and where the whole address is
 * the value of another one.
 */
const PARAMETERS = [
	/([?&;#]|\\u0026)([^?&;#=\s"'<>\\]{1,100})(=|\\+u003d)((?:[^&;#\s"'<>\\]|\\+(?!u0026|["'\\]))+)/gi,
	/(%3f|%26|%23)([\w.~-]{1,100})(%3d)((?:(?!%26|%23)[^&;#\s"'<>])+)/gi,
];
/** The password in `https://name:password@host`, also in JSON that escapes slashes, and percent-encoded. */
const PASSWORDS = [
	/((?:\/\/|\\\/\\{1,7}\/)[^/?#\s:@"'<>\\]*:)[^/?#\s@"'<>]+(?=@)/g,
	/(%2f%2f(?:(?!%2f|%3a|%40)[^\s"'<>/])*%3a)(?:(?!%2f|%40)[^\s"'<>/])+(?=%40)/gi,
];
/** The beginning of a possible secret at the end of a text that was cut off. */
const CUT_PASSWORD = /((?:\/\/|\\\/\\{1,7}\/)[^/?#\s:@"'<>\\]*:)[^/?#\s@"'<>]+$/;

/** A slash, which JSON may escape, or which may be percent-encoded. */
const SLASH = String.raw`(?:\\{0,7}/|%(?:25){0,3}2f)`;
/** Webhooks of Slack, Discord and Teams, whose paths are secrets. */
const WEBHOOK = new RegExp(
	String.raw`((?:hooks\.slack(?:-gov)?\.com${SLASH}(?:services|workflows|triggers)|discord(?:app)?\.com${SLASH}api(?:${SLASH}v\d{1,2})?${SLASH}webhooks|webhook\.office\.com${SLASH}webhookb2)${SLASH})(?:\\+/|[^\s"'<>\\?#&;,)])+`,
	"gi",
);
/** A JSON Web Token, which begins with `{"` in Base64. */
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+){0,3}/g;
/** The end of a text that may go on as a token or a webhook. */
const MAY_GO_ON = /(?<![\w.-])eyJ[\w.-]*$|hooks\.slack|discord|webhook\.office/;

/** Characters that end an address. */
const ADDRESS_END = /[\s"'<>]/;
/**
 * An address that ends within the part that may have a password, or within its parameters. Of the last one alone, and from its
 * beginning: looked for at each slash of a long line, it would take time with the square of its length.
 */
const OPEN_ADDRESS = /\/\/[^/?#@]*$|^[^/]*\/.*[?&;#]/s;

/** Whether a variable of this name has a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !NO_SECRETS.has(name);

export function maskForms(text: string): string {
	let masked = PARAMETERS.reduce(maskParameters, text);
	for (const pattern of [...PASSWORDS, WEBHOOK]) masked = masked.replace(pattern, `$1${REPLACEMENT}`);
	masked = masked.replace(JWT, REPLACEMENT);
	for (const pattern of [HEADER_ENTRY, HEADER]) masked = masked.replace(pattern, `$1$2$3${REPLACEMENT}`);
	return masked;
}

/** @param text whose end was cut off. */
export const maskCutForms = (text: string): string => maskForms(text).replace(CUT_PASSWORD, `$1${REPLACEMENT}`);

/** Whether the text may end within a secret, which the following text would continue. */
export function mayEndWithinForm(text: string): boolean {
	HEADER.lastIndex = 0;
	if (HEADER.test(text) || HEADER_ENTRY_BEGINS.test(text)) return true;
	const last = text.split(ADDRESS_END).at(-1) ?? "";
	if (OPEN_ADDRESS.test(last) || MAY_GO_ON.test(last)) return true;
	const masked = maskForms(text);
	return masked !== text && masked.endsWith(REPLACEMENT);
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
