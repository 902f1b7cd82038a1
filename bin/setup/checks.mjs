/** Runs checks one after another, runs failed tests again, and counts what passed, failed and was unstable. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readReport } from "./reports.mjs";
import { root, run, say, wasSignalled, withPackages } from "./run.mjs";
import { addToLedger, readLedger, verdict } from "./unstable.mjs";

const reports = join(root, ".cache", "reports");
/** A program that hangs must end while there is still time to report it: CI may take 90 minutes. */
const HANGS_AFTER_MS = 25 * 60_000;
/** More failures than this are no coincidence, and the run fails in any case. */
const MOST_RERUNS = 10;

const reporter = (program) => fileURLToPath(new URL(`${program}-reporter.mjs`, import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);

/**
 * Programs that run one after another and either succeed or fail.
 * @param options.isGate whether the run stops after it if it fails.
 */
export const plainCheck = (title, commands, { isGate = false } = {}) => ({
	title,
	isGate,
	perform: async () => {
		for (const [program, ...args] of commands) {
			if (!(await succeeds(bin(program), args))) return { passed: 0, failed: 1 };
		}
		return { passed: 0, failed: 0 };
	},
});

/**
 * Tests of vitest.
 * @param lane its project in `vitest.config.ts`.
 * @param files paths from the root; all of the lane if omitted.
 * @param options.env variables for the tests.
 * @param options.timeoutMs ends the program after this long.
 */
export const vitestCheck = (title, lane, files = [], options = {}) =>
	testCheck(title, files, options, (selected) => [
		bin("vitest"),
		["run", "--project", lane, "--reporter=default", `--reporter=${reporter("vitest")}`, ...selected],
	]);

/** Tests of Playwright; the parameters are those of `vitestCheck`. */
export const playwrightCheck = (title, lane, files = [], options = {}) =>
	testCheck(title, files, options, (selected) => [
		bin("playwright"),
		["test", `--reporter=list,${reporter("playwright")}`, ...(lane === "timed" ? ["--workers=1"] : []), ...selected],
	]);

/** @param commandFor returns the program and its arguments for these files. */
function testCheck(title, files, { env, timeoutMs }, commandFor) {
	const perform = async (selected) => {
		const file = join(reports, `${title.replace(/\W+/g, "-").toLowerCase()}.jsonl`);
		mkdirSync(reports, { recursive: true });
		rmSync(file, { force: true });
		const [program, args] = commandFor(selected);
		const succeeded = await succeeds(program, args, { ...env, TEST_REPORT: file }, timeoutMs);
		const report = readReport(file);
		const failures = [...report.failures];
		if (!report.isComplete)
			failures.push({ file: null, title: "", message: "The test program ended before its tests." });
		else if (!succeeded && failures.length === 0)
			failures.push({ file: null, title: "", message: "The test program failed, although no test did." });
		return { ...report, failures, failed: failures.length };
	};
	return { title, perform: () => perform(files), rerun: (file) => perform([file]) };
}

/** A run of random faults, with the commit as the seed. Counts as one test. @param program a file of `lab/chaos` */
export const chaosCheck = (title, program, { minutes }) => ({
	title,
	perform: async () => {
		const args = ["--minutes", String(minutes), "--seed", String(await seedOfCommit())];
		const succeeded = await succeeds(bin("node"), [join(root, "lab", "chaos", program), ...args]);
		return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 };
	},
});

/** Every bench with few samples: checks that each works, not how fast it is. So two run at a time. */
export const benchCheck = (title) => ({
	title,
	perform: async () => {
		mkdirSync(reports, { recursive: true });
		const counts = await Promise.all(
			["1/2", "2/2"].map(async (part) => {
				const file = join(reports, `bench-${part[0]}.json`);
				rmSync(file, { force: true });
				const args = ["--quick", "--part", part, "--report", file];
				const succeeded = await succeeds(bin("node"), [join(root, "lab", "bench", "run.ts"), ...args]);
				return { succeeded, ...readBenches(file) };
			}),
		);
		const failures = counts.flatMap((count) => count.failures.map((failure) => ({ file: null, ...failure })));
		const crashes = counts.filter(({ succeeded, failures }) => !succeeded && failures.length === 0).length;
		return {
			passed: counts.reduce((sum, { passed }) => sum + passed, 0),
			failed: failures.length + crashes,
			failures,
		};
	},
});

function readBenches(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return { passed: 0, failures: [] };
	}
}

/** @returns the first digits of the commit; 0 outside of a git checkout. */
async function seedOfCommit() {
	const { code, output } = await run("git", ["rev-parse", "HEAD"], { quiet: true });
	return code === 0 ? Number.parseInt(output.slice(0, 7), 16) : 0;
}

async function succeeds(command, args, env = {}, timeoutMs = HANGS_AFTER_MS) {
	const { code, isTimedOut } = await run(command, args, { env: withPackages(env), timeoutMs });
	if (isTimedOut) say(`Ended after ${Math.round(timeoutMs / 1_000)} s, because it seems to hang.`);
	return code === 0;
}

const secondsSince = (begun) => (performance.now() - begun) / 1_000;
const nameOf = ({ file, title }) => [file, title].filter(Boolean).join(" › ");
const line = (seconds, text) => `${String(Math.round(seconds)).padStart(5)} s  ${text}`;

/**
 * Runs the checks, even after one failed; none after a signal, and none after a gate that failed. Then runs the file of each
 * failed test once more, alone on the machine: a test that passes there is unstable, not failed. Closes with each failure and
 * its message, the seconds per check, and the counts.
 * @param options.earlierUnstable how many tests were unstable in the part of this run that another process ran.
 * @param options.ledger the file of the ledger.
 * @returns {{ passed: boolean, stopped: boolean, seconds: Record<string, number> }} stopped: a gate failed; seconds: per test
 * file, of those whose tests all passed.
 */
export async function performChecks(checks, { earlierUnstable = 0, ledger } = {}) {
	const results = [];
	const durations = [];
	let stopped = false;
	for (const check of checks) {
		if (wasSignalled() || (stopped && !check.isGate)) break;
		say(`\n── ${check.title}`);
		const begun = performance.now();
		const result = await check.perform().catch((error) => {
			say(error.message);
			return { passed: 0, failed: 1 };
		});
		durations.push(line(secondsSince(begun), check.title));
		results.push({ check, seconds: {}, failures: [], ...result });
		if (check.isGate && result.failed > 0) stopped = true;
	}
	const rerunBegun = performance.now();
	const unstable = await rerunFailed(results);
	if (unstable.wereRun) durations.push(line(secondsSince(rerunBegun), "Failed tests again, alone"));

	const passed = results.reduce((sum, result) => sum + result.passed, unstable.tests.length);
	const reasons = verdict(
		readLedger(ledger),
		unstable.tests.map(({ test }) => test),
		earlierUnstable,
	);
	const failed = results.reduce((sum, result) => sum + result.failed, reasons.length);
	// In CI, the checkout is deleted together with such an addition.
	if (!process.env.CI) await addToLedger(unstable.tests, ledger);

	// Repeated at the end, where a log is read first.
	say("\n── Summary");
	for (const { check, failures, failed } of results) {
		if (failed === 0) continue;
		say(`Failed: ${check.title}`);
		for (const failure of failures) say(`\n✗ ${nameOf(failure) || check.title}\n${failure.message}\n`);
	}
	for (const { test, message } of unstable.tests) say(`Unstable: ${test}\n${message}\n`);
	for (const reason of reasons) say(`Failed: ${reason}`);
	if (stopped) say("Stopped before the tests: fix the above first.");
	for (const duration of durations) say(duration);
	say(`${unstable.tests.length} unstable`);
	say(`${passed} passed, ${failed} failed`);
	const seconds = results.flatMap(({ seconds, failures }) =>
		Object.entries(seconds).filter(([file]) => !failures.some((failure) => failure.file === file)),
	);
	return { passed: failed === 0 && !wasSignalled(), stopped, seconds: Object.fromEntries(seconds) };
}

/**
 * Runs each file with a failed test again. Tests that pass are removed from the failures of `results`.
 * @returns {{ tests: { test: string, message: string }[], wereRun: boolean }} the tests that passed.
 */
async function rerunFailed(results) {
	const tests = [];
	const failures = results.flatMap((result) => result.failures.map((failure) => ({ result, failure })));
	const isLuck = failures.length <= MOST_RERUNS && failures.every(({ failure }) => failure.file !== null);
	if (failures.length === 0 || wasSignalled()) return { tests, wereRun: false };
	if (!isLuck) {
		say("\nNo test runs again: there are too many failures, or one belongs to no test.");
		return { tests, wereRun: false };
	}
	for (const result of results) {
		for (const file of new Set(result.failures.map((failure) => failure.file))) {
			say(`\n── Again, alone: ${file}`);
			const again = await result.check.rerun(file);
			const unstable = result.failures.filter(
				(failure) =>
					failure.file === file &&
					again.passed > 0 &&
					!again.failures.some(({ file, title }) => file === null || title === "" || title === failure.title),
			);
			tests.push(...unstable.map((failure) => ({ test: nameOf(failure), message: failure.message })));
			result.failures = result.failures.filter((failure) => !unstable.includes(failure));
			result.failed -= unstable.length;
		}
	}
	return { tests, wereRun: true };
}
