/** The tests of reports as results that the dashboard takes. */
import { isAbsolute, relative } from "node:path";
import type { ReportedStep, ReportedTest } from "@tapedeck/client-source/index.ts";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import {
	MAX_RESULT_KEY,
	MAX_STACK_BYTES,
	MAX_STEP_MESSAGE_BYTES,
	MAX_STEP_TITLE,
	sanitizeTitle,
} from "@tapedeck/contract/test-result.ts";
import type { ImportedStep, ImportedTest } from "./imported-test.ts";
import { MAX_MESSAGE } from "./junit.ts";

/**
 * Results with a key each, and with attempts if the report gives only the start times. Their texts are masked, then cut.
 * @returns them in the order of the tests.
 */
export function resultsOf(tests: readonly ImportedTest[], mask: SecretMask): ReportedTest[] {
	const masked = tests.map((test) => withoutSecrets(test, mask));
	const attempts = new Map<ImportedTest, number>();
	const counted = masked.filter(({ attempt }) => attempt === null);
	for (const same of Map.groupBy(counted, nameOf).values()) {
		same.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
		for (const [index, test] of same.entries()) attempts.set(test, index + 1);
	}
	const numbers = new Map<string, number>();
	return masked.map((each) => {
		const { startedAt, endedAt, isApproximate, steps, files: _files, link: _link, attempt, ...rest } = each;
		const name = nameOf(each);
		const number = (numbers.get(name) ?? 0) + 1;
		numbers.set(name, number);
		const end = `#${number}`;
		const begun = startedAt ?? endedAt;
		return {
			...rest,
			key: `${sanitizeTitle(name, MAX_RESULT_KEY - end.length)}${end}`,
			attempt: Math.min(1_000, Math.max(1, attempt ?? attempts.get(each) ?? 1)),
			...(begun === null ? {} : { startedAt: timeOf(begun), endedAt: timeOf(Math.max(begun, endedAt ?? begun)) }),
			...(isApproximate ? { isApproximate: true } : {}),
			...(steps.length === 0 ? {} : { steps: steps.map((step) => stepOf(step, mask)) }),
		};
	});
}

const nameOf = ({ test, project }: Pick<ImportedTest, "test" | "project">): string =>
	project === null ? test : `${test} [${project}]`;

function withoutSecrets(test: ImportedTest, mask: SecretMask): ImportedTest {
	const title = (text: string | null): string | null => (text === null ? null : sanitizeTitle(mask.applyToName(text)));
	return {
		...test,
		test: title(test.test) || "Test",
		suite: title(test.suite) || null,
		file: title(fileFrom(test.file)),
		message: maskedText(test.message, mask, MAX_MESSAGE_BYTES),
		stack: maskedText(test.stack, mask, MAX_STACK_BYTES),
	};
}

/** A reader may have cut the text already, within a secret. */
function maskedText(text: string | null, mask: SecretMask, maxBytes: number): string | null {
	if (text === null) return null;
	// Colours within a secret, as of a difference, would hide it.
	const plain = sanitizeMessage(text, Number.POSITIVE_INFINITY) ?? "";
	return sanitizeMessage(text.length < MAX_MESSAGE ? mask.apply(plain) : mask.applyToCut(plain), maxBytes);
}

/**
 * The tests that failed, by their results. In a JUnit report, each test case that failed; elsewhere, a retry that passes makes a
 * failure none.
 */
export function failedOf<T extends { test: ImportedTest; result: ReportedTest }>(all: readonly T[]): T[] {
	const last = new Set(lastOf(all.map(({ result }) => result)));
	return all.filter(({ test: { link }, result }) => {
		const counts = link === undefined ? last.has(result) : link !== null;
		return counts && isFailure(result.outcome ?? null);
	});
}

/** Within the folder that the command runs in, a path is the same on every machine. */
function fileFrom(file: string | null): string | null {
	if (file === null || !isAbsolute(file)) return file;
	const own = relative(process.cwd(), file);
	return own.startsWith("..") || isAbsolute(own) ? file : own;
}

function stepOf({ startedAt, endedAt, steps, title, message, ...step }: ImportedStep, mask: SecretMask): ReportedStep {
	return {
		...step,
		title: sanitizeTitle(mask.apply(title), MAX_STEP_TITLE),
		message: maskedText(message, mask, MAX_STEP_MESSAGE_BYTES),
		...(startedAt === null ? {} : { startedAt: timeOf(startedAt) }),
		...(endedAt === null ? {} : { endedAt: timeOf(endedAt) }),
		...(steps.length === 0 ? {} : { steps: steps.map((inner) => stepOf(inner, mask)) }),
	};
}

/** Times that a report says are sent as they are. Those that no calendar has are cut to what it has. */
function timeOf(at: number): string {
	const YEAR_9999 = 253_402_300_799_000;
	return new Date(Math.min(Math.max(0, at), YEAR_9999)).toISOString();
}

/** The outcome of a report, by the last attempt of each test. */
export function outcomeOf(results: readonly ReportedTest[]): Outcome {
	const last = lastOf(results).map(({ outcome }) => outcome ?? null);
	if (last.some(isFailure)) return "failed";
	return last.includes("passed") ? "passed" : "skipped";
}

/** The last attempt of each test. */
const lastOf = (results: readonly ReportedTest[]): ReportedTest[] =>
	[...Map.groupBy(results, ({ test, project }) => `${project ?? ""}\n${test}`).values()].flatMap(
		(attempts) => attempts.toSorted((a, b) => (a.attempt ?? 1) - (b.attempt ?? 1)).at(-1) ?? [],
	);
