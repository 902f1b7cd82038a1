/** Runs the checks one after another and adds up what passed. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, say, withPackages } from "./run.mjs";

const reports = join(root, ".cache", "reports");
// A check that hangs must end as a failure, not as a machine that is busy for ever.
const STEP_TIMEOUT_MS = 40 * 60_000;

const bin = (name) => join(root, "node_modules", ".bin", name);

/** Programs, one after another, that only pass or fail; together they count as one failure. */
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

/** Vitest, with the projects that are named. */
export const vitestCheck = (title, projects) => ({
	title,
	perform: async () => {
		const file = freshReport(`vitest-${projects.join("-")}.json`);
		const args = ["run", ...projects.flatMap((name) => ["--project", name]), "--reporter=default"];
		const { failed } = await perform(bin("vitest"), [...args, "--reporter=json", `--outputFile.json=${file}`]);
		return counted(file, failed, vitestFigures);
	},
});

/** A file that failed without a failed test of its own, such as one whose set-up threw, is a failure too. */
function vitestFigures({ numPassedTests, numFailedTests, testResults }) {
	const fallen = testResults.filter(
		({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
	);
	return [numPassedTests, numFailedTests + fallen.length];
}

/** Playwright, with every spec. */
export const playwrightCheck = (title) => ({
	title,
	perform: async () => {
		const file = freshReport("playwright.json");
		const { failed } = await perform(bin("playwright"), ["test"], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
		return counted(file, failed, ({ stats }) => [stats.expected, stats.unexpected + stats.flaky]);
	},
});

/** A run of random faults: one check, which passes or fails as a whole. */
export const chaosCheck = (title, { minutes, seed }) => ({
	title,
	perform: async () => {
		const asked = ["--minutes", String(minutes), "--seed", String(seed)];
		const { failed } = await perform(bin("node"), [join(root, "chaos", "run.ts"), ...asked]);
		return { passed: 1 - failed, failed };
	},
});

function freshReport(name) {
	mkdirSync(reports, { recursive: true });
	const file = join(reports, name);
	rmSync(file, { force: true });
	return file;
}

async function perform(command, args, env = {}) {
	const begun = performance.now();
	const { code } = await run(command, args, { env: withPackages(env), timeoutMs: STEP_TIMEOUT_MS });
	if (performance.now() - begun >= STEP_TIMEOUT_MS) say(`Ended after ${STEP_TIMEOUT_MS / 60_000} minutes.`);
	return { failed: code === 0 ? 0 : 1 };
}

/** The report's figures; a run that failed without a failed test (it crashed, it found none) is one failure. */
function counted(file, failed, figures) {
	let passed = 0;
	let red = 0;
	try {
		[passed, red] = figures(JSON.parse(readFileSync(file, "utf8")));
	} catch {
		failed = 1;
	}
	return { passed, failed: Math.max(red, failed) };
}

/**
 * Performs every check, even after one failed, and prints the closing line.
 * @returns whether all passed.
 */
export async function performChecks(checks) {
	let passed = 0;
	let failed = 0;
	const red = [];
	for (const { title, perform } of checks) {
		say(`\n── ${title}`);
		const result = await perform().catch((error) => {
			say(error.message);
			return { passed: 0, failed: 1 };
		});
		passed += result.passed;
		failed += result.failed;
		if (result.failed > 0) red.push(title);
	}
	say("");
	if (red.length > 0) say(`Failed: ${red.join(", ")}`);
	say(`${passed} passed, ${failed} failed`);
	return failed === 0;
}
