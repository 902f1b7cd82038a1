/**
 * Replaces secrets in logs, results and markers, before they are written or sent anywhere: the values of environment variables
 * that are named like secrets, what the user names, the values of headers that carry credentials, and in addresses passwords
 * and the values of parameters that are named like secrets. The Python client has the same rules: test/vectors/computed.
 */
import type { ReportedStep, ReportedTest } from "./test-results.ts";

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 6;
/** Likewise, of what the user names. */
export const MIN_NAMED = 4;
const REPLACEMENT = "***";

/** Such as GITHUB_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY or API_KEY. */
const SECRET_NAME = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE|(^|_)(KEYS?|PASS|PWD|AUTH)$/i;
/** Where a shell is and was. */
const NO_SECRETS = new Set(["PWD", "OLDPWD"]);

/** Also after a line break that is escaped, as in JSON. */
const HEADER = /(?:\b|(?<=\\[nrt]))((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)[^\s"'][^"'\r\n]*/gi;

/** Of signed addresses. */
const SIGNATURE = /^(x_amz_)?sig(nature)?$/i;
/** The name and the value of a parameter in an address, also where the whole address is the value of another one. */
const PARAMETERS = [
	/([?&;#])([^?&;#=\s"'<>]{1,100})(=)([^&;#\s"'<>]+)/g,
	/(%3f|%26|%23)([\w.~-]{1,100})(%3d)((?:(?!%26|%23)[^&;#\s"'<>])+)/gi,
];
/** The password in `https://name:password@host`. */
const PASSWORD = /(\/\/[^/?#\s:@"'<>]*:)[^/?#\s@"'<>]+(?=@)/g;
/** What may be one, at an end after which more was cut off. */
const CUT_PASSWORD = /(\/\/[^/?#\s:@"'<>]*:)[^/?#\s@"'<>]+$/;
/** What ends an address. */
const ADDRESS_END = /[\s"'<>]/;
/**
 * An address that ends within the part that may have a password, or within its parameters. Of the last one alone, and from its
 * beginning: looked for at each slash of a long line, it would take time with the square of its length.
 */
const OPEN_ADDRESS = /\/\/[^/?#@]*$|^[^/]*\/.*[?&;#]/s;

/** Of process.env. */
type Environment = Readonly<Record<string, string | undefined>>;

export class SecretMask {
	readonly #values: readonly string[];
	readonly #pattern: RegExp | null;

	/** @param named values that the user names besides TAPEDECK_MASK, which has one a line; of several lines, each is masked. */
	constructor(env: Environment, named: readonly string[] = []) {
		const ofNames = Object.entries(env).flatMap(([name, value]) =>
			value !== undefined && isSecretName(name) ? linesOf(value) : [],
		);
		const ofUser = [...linesOf(env.TAPEDECK_MASK ?? ""), ...named.flatMap(linesOf)];
		const values = [
			...ofNames.filter((value) => value.length >= MIN_LENGTH),
			...ofUser.filter((value) => value.length >= MIN_NAMED),
		];
		const spellings = values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
		// The longest first: it may contain another one.
		const all = [...new Set(spellings)].sort((a, b) => b.length - a.length);
		this.#values = all;
		this.#pattern = all.length === 0 ? null : new RegExp(all.map((value) => escaped(value)).join("|"), "g");
	}

	/** Whether the text may go on with the rest of a secret, of a header, or of an address with a secret. */
	mayEndWithin(text: string): boolean {
		HEADER.lastIndex = 0;
		if (HEADER.test(text) || OPEN_ADDRESS.test(text.split(ADDRESS_END).at(-1) ?? "")) return true;
		const masked = maskAddresses(text);
		if (masked !== text && masked.endsWith(REPLACEMENT)) return true;
		return this.#values.some((value) => {
			for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1) {
				if (text.endsWith(value.slice(0, length))) return true;
			}
			return false;
		});
	}

	/** @param text whole lines: a secret is replaced where all of it is. */
	apply(text: string): string {
		return maskAddresses(this.applyToName(text)).replace(HEADER, `$1$2${REPLACEMENT}`);
	}

	/** @param text whose end was cut off: so are as many characters as may be the beginning of a secret. */
	applyToCut(text: string): string {
		const masked = this.apply(text).replace(CUT_PASSWORD, `$1${REPLACEMENT}`);
		return masked.slice(0, Math.max(0, masked.length - (this.#values[0]?.length ?? 0)));
	}

	/**
	 * @param name of a test, where what looks like a header is none: `Cookie: is refused`. Nor is an address masked there: tests
	 * that differ by it alone would become one.
	 */
	applyToName(name: string): string {
		return this.#pattern === null ? name : name.replace(this.#pattern, REPLACEMENT);
	}

	/** A result without secrets in its names, messages and steps. Its key is the caller's. */
	applyToResult(result: ReportedTest): ReportedTest {
		const { test, suite, file, message, stack, steps } = result;
		return {
			...{ ...result, test: this.applyToName(test) },
			...(suite == null ? {} : { suite: this.applyToName(suite) }),
			...(file == null ? {} : { file: this.applyToName(file) }),
			...(message == null ? {} : { message: this.apply(message) }),
			...(stack == null ? {} : { stack: this.apply(stack) }),
			...(steps == null ? {} : { steps: steps.map((step) => this.#applyToStep(step)) }),
		};
	}

	#applyToStep(step: ReportedStep): ReportedStep {
		const { title, message, steps } = step;
		return {
			...{ ...step, title: this.apply(title) },
			...(message == null ? {} : { message: this.apply(message) }),
			...(steps === undefined ? {} : { steps: steps.map((inner) => this.#applyToStep(inner)) }),
		};
	}
}

/** Whether a variable of this name has a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !NO_SECRETS.has(name);

/** What is masked comes line by line. */
const linesOf = (value: string): string[] =>
	value
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Secrets that no variable has. */
const maskAddresses = (text: string): string =>
	PARAMETERS.reduce(maskParameters, text).replace(PASSWORD, `$1${REPLACEMENT}`);

const maskParameters = (text: string, parameters: RegExp): string =>
	text.replace(parameters, (whole, before: string, name: string, equals: string) =>
		isSecretParameter(name) ? before + name + equals + REPLACEMENT : whole,
	);

/** `access-token`, `user[password]` and `apiKey` are named like variables. */
function isSecretParameter(name: string): boolean {
	const plain = name.replace(/%5b|%5d|\W/gi, "_").replace(/_+$/, "");
	return isSecretName(plain) || SIGNATURE.test(plain);
}
