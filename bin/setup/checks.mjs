/** Runs checks one after another and counts what passed and failed. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPlaywright } from "./reports.mjs";
import { root, run, say, wasSignalled, withPackages } from "./run.mjs";

const reports = join(root, ".cache", "reports");
// A check that hangs has to fail; on a busy machine, one takes ten times as long as on an idle one.
const STEP_TIMEOUT_MS = 120 * 60_000;

const vitestReporter = fileURLToPath(new URL("vitest-report.mjs", import.meta.url));

const bin = (name) => join(root, "node_modules", ".bin", name);

/** Programs that run one after another and either succeed or fail. */
export const plainCheck = (title, ...commands) => ({
	title,
	perform: async () => {
		for (const [program, ...args] of commands) {
			const { failed } = await perform(bin(program), args);
			if (failed > 0) return { passed: 0, failed };
		}
		return { passed: 0, failed: 0 };
	},
});

/** The named projects of vitest. */
export const vitestCheck = (title, projects) => ({
	title,
	perform: async () => {
		const file = freshReport(`vitest-${projects.join("-")}.json`);
		const args = ["run", ...projects.flatMap((name) => ["--project", name]), "--reporter=default"];
		const { failed } = await perform(bin("vitest"), [...args, `--reporter=${vitestReporter}`], { VITEST_REPORT: file });
		return counted(file, failed, (report) => report);
	},
});

/** The tests that these arguments of Playwright select. @param env variables for them */
export const playwrightCheck = (title, selection, env = {}) => ({
	title,
	perform: async () => {
		const file = freshReport("playwright.json");
		const { failed } = await perform(bin("playwright"), ["test", ...selection], {
			...env,
			PLAYWRIGHT_JSON_OUTPUT_FILE: file,
		});
		return counted(file, failed, readPlaywright);
	},
});

/** A run of random faults, with the commit as the seed. Counts as one test. */
export const chaosCheck = (title, { minutes }) => ({
	title,
	perform: async () => {
		const args = ["--minutes", String(minutes), "--seed", String(await seedOfCommit())];
		const { failed } = await perform(bin("node"), [join(root, "lab", "chaos", "run.ts"), ...args]);
		return { passed: 1 - failed, failed };
	},
});

/** Every bench with few samples: checks that each works, not how fast it is. So two run at a time. */
export const benchCheck = (title) => ({
	title,
	perform: async () => {
		const counts = await Promise.all(
			["1/2", "2/2"].map(async (part) => {
				const file = freshReport(`bench-${part[0]}.json`);
				const args = ["--quick", "--part", part, "--report", file];
				const { failed } = await perform(bin("node"), [join(root, "lab", "bench", "run.ts"), ...args]);
				return counted(file, failed, (report) => report);
			}),
		);
		return {
			passed: counts.reduce((sum, { passed }) => sum + passed, 0),
			failed: counts.reduce((sum, { failed }) => sum + failed, 0),
			failures: counts.flatMap(({ failures = [] }) => failures),
		};
	},
});

/** @returns the first digits of the commit; 0 outside of a git checkout. */
async function seedOfCommit() {
	const { code, output } = await run("git", ["rev-parse", "HEAD"], { quiet: true });
	return code === 0 ? Number.parseInt(output.slice(0, 7), 16) : 0;
}

function freshReport(name) {
	mkdirSync(reports, { recursive: true });
	const file = join(reports, name);
	rmSync(file, { force: true });
	return file;
}

async function perform(command, args, env = {}) {
	const begun = performance.now();
	const { code } = await run(command, args, { env: withPackages(env), timeoutMs: STEP_TIMEOUT_MS });
	if (performance.now() - begun >= STEP_TIMEOUT_MS) say(`Timed out after ${STEP_TIMEOUT_MS / 60_000} minutes.`);
	return { failed: code === 0 ? 0 : 1 };
}

/** The report's counts; a run that failed without a failed test, such as by a crash, counts as one failure. */
function counted(file, failed, read) {
	try {
		const { passed, failures } = read(JSON.parse(readFileSync(file, "utf8")));
		return { passed, failed: Math.max(failures.length, failed), failures };
	} catch {
		return { passed: 0, failed: 1 };
	}
}

/**
 * Runs every check, even after one failed, but none after a signal, and prints each failure with its message, the seconds per check and the
 * counts.
 * @returns whether all passed.
 */
export async function performChecks(checks) {
	let passed = 0;
	let failed = 0;
	const failedChecks = [];
	const durations = [];
	for (const { title, perform } of checks) {
		if (wasSignalled()) break;
		say(`\n── ${title}`);
		const begun = performance.now();
		const result = await perform().catch((error) => {
			say(error.message);
			return { passed: 0, failed: 1 };
		});
		const seconds = Math.round((performance.now() - begun) / 1_000);
		durations.push(`${String(seconds).padStart(5)} s  ${title}`);
		passed += result.passed;
		failed += result.failed;
		if (result.failed > 0) failedChecks.push({ title, failures: result.failures ?? [] });
	}
	say("");
	// Repeated at the end, where a log is read first.
	for (const { title, failures } of failedChecks) {
		say(`Failed: ${title}`);
		for (const { title: test, message } of failures) say(`\n✗ ${test}\n${message}\n`);
	}
	for (const line of durations) say(line);
	say(`${passed} passed, ${failed} failed`);
	return failed === 0 && !wasSignalled();
}
