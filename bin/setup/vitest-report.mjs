/**
 * Vitest's reporter of what the checks print at their end, written to the file that VITEST_REPORT names. Vitest's own JSON has
 * no word of a setup that failed inside a `describe`: its tests are skipped there.
 */
import { writeFileSync } from "node:fs";
import { failure } from "./reports.mjs";

export default class {
	onTestRunEnd(files, errors) {
		const tests = files.flatMap((file) => [...file.children.allTests()]);
		const failed = [...files, ...files.flatMap((file) => [...file.children.allSuites()]), ...tests].flatMap(failureOf);
		const passed = tests.filter((test) => test.result().state === "passed").length;
		const failures = [...failed, ...errors.map((error) => failure("Vitest", messagesOf([error])))];
		writeFileSync(process.env.VITEST_REPORT, JSON.stringify({ passed, failures }));
	}
}

/** @param task a file, a `describe` or a test; of the first two, only their own errors count. */
function failureOf(task) {
	const errors = task.type === "test" ? (task.result().errors ?? []) : task.errors();
	const isFailed = errors.length > 0 || (task.type === "test" && task.result().state === "failed");
	return isFailed ? [failure(task.fullName ?? task.moduleId, messagesOf(errors))] : [];
}

const messagesOf = (errors) =>
	errors.map(({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ""}`));
