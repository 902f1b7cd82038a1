/**
 * Replaces secrets in lines of logs, before they are written or sent anywhere: the values of environment variables that are
 * named like secrets, what the user names, and the values of headers that carry credentials.
 */

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 6;
const REPLACEMENT = "***";

/** Such as GITHUB_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY or API_KEY. */
const SECRET_NAME = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$/i;
/** Where a shell is and was. */
const NO_SECRETS = new Set(["PWD", "OLDPWD"]);

const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)[^\s"'][^"'\r\n]*/gi;

/** Of process.env. */
type Environment = Readonly<Record<string, string | undefined>>;

export class SecretMask {
	readonly #values: readonly string[];
	readonly #pattern: RegExp | null;
	/** In characters: what ends a text that was cut may be the beginning of a secret of this length. */
	readonly longest: number;

	/** @param named values that the user names, which may be shorter; of several lines, each is masked. */
	constructor(env: Environment, named: readonly string[] = []) {
		const ofNames = Object.entries(env).flatMap(([name, value]) =>
			value !== undefined && SECRET_NAME.test(name) && !NO_SECRETS.has(name) ? linesOf(value) : [],
		);
		const values = [...ofNames.filter((value) => value.length >= MIN_LENGTH), ...named.flatMap(linesOf)];
		const spellings = values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
		// The longest first: it may contain another one.
		const all = [...new Set(spellings)].sort((a, b) => b.length - a.length);
		this.#values = all;
		this.#pattern = all.length === 0 ? null : new RegExp(all.map((value) => escaped(value)).join("|"), "g");
		this.longest = all[0]?.length ?? 0;
	}

	/** Whether the text may go on with the rest of a secret, or of a header. */
	mayEndWithin(text: string): boolean {
		HEADER.lastIndex = 0;
		if (HEADER.test(text)) return true;
		return this.#values.some((value) => {
			for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1) {
				if (text.endsWith(value.slice(0, length))) return true;
			}
			return false;
		});
	}

	/** @param text a whole line: a secret is replaced where all of it is. */
	apply(text: string): string {
		const masked = this.#pattern === null ? text : text.replace(this.#pattern, REPLACEMENT);
		return masked.replace(HEADER, `$1$2${REPLACEMENT}`);
	}
}

/** What is masked comes line by line. */
export const linesOf = (value: string): string[] =>
	value
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
