/** What the test programs report: how many tests passed, and each failure with its message. */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Lines of a failure that are repeated at the end: the message, the two values, the place. */
const MESSAGE_LINES = 24;

const plain = (text) =>
	stripVTControlCharacters(text)
		.split("\n")
		.filter((line) => !line.includes("node_modules"))
		.slice(0, MESSAGE_LINES)
		.join("\n");

export const failure = (title, messages) => ({ title, message: plain(messages.filter(Boolean).join("\n")) });

/** Lines of what a page showed when its test failed. */
const PAGE_LINES = 80;

const shortened = (text) => {
	const lines = text.trimEnd().split("\n");
	const more = lines.length > PAGE_LINES ? [`… ${lines.length - PAGE_LINES} more lines`] : [];
	return [...lines.slice(0, PAGE_LINES), ...more].join("\n");
};

/** What Playwright wrote down of the page at a failure: its roles, names and texts. Empty without a page. */
function pageAt({ attachments }) {
	const path = attachments.find(({ name }) => name === "error-context")?.path;
	const snapshot = path === undefined ? null : /^```yaml\n(.*?)^```/ms.exec(readFileSync(path, "utf8"));
	return snapshot === null ? "" : `\nThe page at that moment:\n${shortened(snapshot[1])}`;
}

/** What our tests attach to a failure: the requests of its pages that went wrong, as text. Empty for other tests. */
function requestsOf({ attachments }) {
	const body = attachments.find(({ name }) => name === "requests")?.body;
	return body === undefined ? "" : `\nIts requests: ${shortened(Buffer.from(body, "base64").toString())}`;
}

/**
 * A test that passed only when retried is a failure.
 * CI keeps only its log, so a failure also has what its page showed.
 * @param report what Playwright's JSON reporter wrote.
 * @returns {{ passed: number, failures: { title: string, message: string }[] }}
 */
export function readPlaywright({ stats, suites, errors }) {
	const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
	const failures = suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
		tests
			.filter(({ status }) => status === "unexpected" || status === "flaky")
			.map(({ results }) => {
				const failed = failure(
					`${file} › ${title}`,
					results.flatMap((result) => result.errors.map(({ message }) => message)),
				);
				return { ...failed, message: failed.message + results.map((one) => pageAt(one) + requestsOf(one)).join("") };
			}),
	);
	// `errors` are outside of any test, such as a spec that cannot be loaded.
	return {
		passed: stats.expected,
		failures: [...failures, ...errors.map(({ message }) => failure("Playwright", [message]))],
	};
}
