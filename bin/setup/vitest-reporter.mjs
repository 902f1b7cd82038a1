/**
 * A reporter of vitest that writes each event to the file TEST_REPORT at once, one JSON object per line: after a crash
 * or a hang, the file tells which tests were running. `reports.mjs` reads it.
 */
import { relative } from "node:path";
import { appendLine, plainMessage } from "./report-lines.mjs";
import { root } from "./run.mjs";

export default class {
	onTestModuleQueued(module) {
		appendLine({ event: "begin", ...nameOf(module) });
	}

	onTestCaseReady(test) {
		appendLine({ event: "begin", ...nameOf(test) });
	}

	onTestCaseResult(test) {
		const { state, errors = [] } = test.result();
		// A test of a suite whose set-up failed is skipped, and the suite is reported in its place.
		if (state === "skipped") return;
		const isFailed = state === "failed";
		appendLine({ event: "end", ...nameOf(test), isFailed, message: isFailed ? messageOf(errors) : "" });
	}

	onTestSuiteResult(suite) {
		failureOf(suite);
	}

	onTestModuleEnd(module) {
		failureOf(module);
		const { collectDuration, duration } = module.diagnostic();
		appendLine({ event: "file", file: fileOf(module), seconds: (collectDuration + duration) / 1_000 });
	}

	onTestRunEnd(_modules, errors) {
		for (const error of errors) {
			const file = error.VITEST_TEST_PATH === undefined ? null : relative(root, error.VITEST_TEST_PATH);
			appendLine({ event: "error", file, message: messageOf([error]) });
		}
		appendLine({ event: "done" });
	}
}

/** Reports a file that does not load, or a suite whose set-up failed. @param task the file or the suite */
function failureOf(task) {
	const errors = task.errors();
	if (errors.length > 0) appendLine({ event: "end", ...nameOf(task), isFailed: true, message: messageOf(errors) });
}

const fileOf = (task) => relative(root, (task.module ?? task).moduleId);

/** A test's or a suite's file and its title with those of its suites; a file has no title. */
const nameOf = (task) => ({ file: fileOf(task), title: task.fullName ?? "" });

const messageOf = (errors) =>
	plainMessage(errors.map(({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ""}`)));
