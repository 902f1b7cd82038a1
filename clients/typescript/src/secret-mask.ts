/**
 * Replaces secrets in logs, results and markers before they are written or sent anywhere: the values of environment
 * variables with names of secrets, values listed by the user, and text in the form of a secret (secret-forms.ts). The
 * Python client has the same rules: test/vectors/computed.
 */
import { DecodedText, mayBeEncoded } from "./decoded-text.ts";
import { isSecretName, maskCutForms, maskForms, mayEndWithinForm, REPLACEMENT } from "./secret-forms.ts";
import type { ReportedStep, ReportedTest } from "./test-results.ts";

export { isSecretName };

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 6;
/** The minimum length of values listed by the user, for the same reason. */
export const MIN_NAMED = 4;

/** An encoded character that has not ended, in the last characters of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins colours
const OPEN_ENCODING = /(?:%(?:25)*[\da-f]?|\\+(?:u[\da-f]{0,3})?|\u001b(?:\[[0-?]*)?)$/i;
const MAX_OPEN_ENCODING = 40;
/** The maximum length of such a character if it is decoded nevertheless. */
const MAX_OPEN_BYTES = 6;

/** The type of process.env. */
type Environment = Readonly<Record<string, string | undefined>>;

export class SecretMask {
	readonly #values: readonly string[];
	readonly #pattern: RegExp | null;
	/** The same without their encodings. */
	readonly #decoded: readonly string[];
	readonly #decodedPattern: RegExp | null;

	/**
	 * @param named further values to mask, in addition to TAPEDECK_MASK, which has one per line. In a value of several
	 *   lines, each line is masked.
	 */
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
		this.#values = longestFirst(spellings);
		this.#pattern = patternOf(this.#values);
		// A value that is short without its encoding would mask ordinary words.
		const decoded = values.map((value) => new DecodedText(value).text).filter(({ length }) => length >= MIN_NAMED);
		this.#decoded = longestFirst(decoded);
		this.#decodedPattern = patternOf(this.#decoded);
	}

	/** Whether the text may go on with the rest of a secret, of a header, or of an address with a secret. */
	mayEndWithin(text: string): boolean {
		if (mayEndWithinForm(text)) return true;
		if (this.#pattern === null) return false;
		if (OPEN_ENCODING.test(text.slice(-MAX_OPEN_ENCODING))) return true;
		const decoded = new DecodedText(text).text;
		return (
			this.#values.some((value) => endsWithin(text, value)) || this.#decoded.some((value) => endsWithin(decoded, value))
		);
	}

	/** @param text whole lines: a secret is replaced where all of it is. */
	apply(text: string): string {
		return maskForms(this.applyToName(text));
	}

	/** @param text whose end was cut off: so are as many characters as may be the beginning of a secret. */
	applyToCut(text: string): string {
		const masked = maskCutForms(this.applyToName(text));
		if (this.#pattern === null) return masked;
		const longest = Math.max(0, ...[this.#values[0], this.#decoded[0]].map((value) => value?.length ?? 0));
		return new DecodedText(masked).withoutEnd(longest + MAX_OPEN_BYTES);
	}

	/**
	 * @param name of a test, where what looks like a header is none: `Cookie: is refused`. Nor is an address masked there: tests
	 * that differ by it alone would become one.
	 */
	applyToName(name: string): string {
		if (this.#pattern === null) return name;
		const masked = name.replace(this.#pattern, REPLACEMENT);
		if (this.#decodedPattern === null || !mayBeEncoded(masked)) return masked;
		return new DecodedText(masked).replace(this.#decodedPattern, REPLACEMENT);
	}

	/** A result without secrets in its names, messages and steps. Its key is the caller's. */
	applyToResult(result: ReportedTest): ReportedTest {
		const { test, suite, file, message, stack, steps } = result;
		return {
			...result,
			test: this.applyToName(test),
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
			...step,
			title: this.apply(title),
			...(message == null ? {} : { message: this.apply(message) }),
			...(steps === undefined ? {} : { steps: steps.map((inner) => this.#applyToStep(inner)) }),
		};
	}
}

/** Splits a secret into lines, because the text to mask arrives line by line. */
const linesOf = (value: string): string[] =>
	value
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** The longest first: it may contain another one. */
const longestFirst = (values: readonly string[]): string[] => [...new Set(values)].sort((a, b) => b.length - a.length);

const patternOf = (values: readonly string[]): RegExp | null =>
	values.length === 0 ? null : new RegExp(values.map(escaped).join("|"), "g");

/** Whether the text ends with the beginning of the value. */
function endsWithin(text: string, value: string): boolean {
	for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1) {
		if (text.endsWith(value.slice(0, length))) return true;
	}
	return false;
}
