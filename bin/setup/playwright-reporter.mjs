/** A reporter of Playwright that writes the same lines as `vitest-reporter.mjs`. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { appendLine, plainMessage } from "./report-lines.mjs";
import { root } from "./run.mjs";

/** Lines of a page or of its requests that are shown for a failed test. */
const PAGE_LINES = 80;

export default class {
	printsToStdio() {
		return false;
	}

	onTestBegin(test) {
		appendLine({ event: "begin", ...nameOf(test) });
	}

	onTestEnd(test, result) {
		if (result.status === "skipped") return;
		const isFailed = result.status !== test.expectedStatus;
		// CI keeps only its log, so a failure also has what its page showed.
		const message = () => plainMessage(result.errors.map((error) => error.stack ?? error.message)) + pageAt(result);
		appendLine({ event: "end", ...nameOf(test), isFailed, message: isFailed ? message() : "" });
	}

	/** An error outside of any test, such as a spec that cannot be loaded. */
	onError({ message, stack, location }) {
		const file = location === undefined ? null : relative(root, location.file);
		appendLine({ event: "error", file, message: plainMessage([stack ?? message]) });
	}

	onEnd() {
		appendLine({ event: "done" });
	}
}

function nameOf(test) {
	const [, , , ...titles] = test.titlePath();
	return { file: relative(root, test.location.file), title: titles.join(" > ") };
}

/** The roles, names and texts of the page at a failure, and the requests that its test attached; empty without a page. */
function pageAt({ attachments }) {
	const textOf = (name) => {
		const { path, body } = attachments.find((each) => each.name === name) ?? {};
		return body?.toString() ?? (path === undefined ? "" : readFileSync(path, "utf8"));
	};
	const page = /^```yaml\n(.*?)^```/ms.exec(textOf("error-context"))?.[1];
	const requests = textOf("requests");
	return [
		page === undefined ? "" : `\nThe page at that moment:\n${shortened(page)}`,
		requests === "" ? "" : `\nIts requests: ${shortened(requests)}`,
	].join("");
}

function shortened(text) {
	const lines = text.trimEnd().split("\n");
	const more = lines.length > PAGE_LINES ? [`… ${lines.length - PAGE_LINES} more lines`] : [];
	return [...lines.slice(0, PAGE_LINES), ...more].join("\n");
}
