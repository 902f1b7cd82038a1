/**
 * `npm test`: the checks of every change, with the same setup as `npm run up`. `npm run test:full` (`--full`) runs
 * everything, `--rest` what `npm test` leaves out.
 */
import { parseArgs } from "node:util";
import { ensureBuilt } from "./build.mjs";
import { benchCheck, chaosCheck, performChecks, plainCheck, playwrightCheck, vitestCheck } from "./checks.mjs";
import { prepare } from "./prepare.mjs";
import { fail, Remedy } from "./remedy.mjs";
import { say, signalRunning } from "./run.mjs";
import { forTests } from "./system-packages.mjs";

/** The tag of the browser tests that `npm test` runs. */
const CORE = "@core";
const RECORDING = ["record", "cancel", "live"].map((name) => `e2e/${name}.spec.ts`);
/** Two dashboards on PostgreSQL and a bucket, behind a balancer. */
const SEVERAL = { TAPEDECK_TEST_DASHBOARDS: "2" };

const build = {
	title: "Build",
	perform: async () => {
		await ensureBuilt();
		return { passed: 0, failed: 0 };
	},
};

function readOptions() {
	try {
		return parseArgs({ options: { full: { type: "boolean" }, rest: { type: "boolean" } } }).values;
	} catch (error) {
		const reason = error.message.split(".")[0];
		fail(
			new Remedy(`${reason}.\nusage: npm test, npm run test:full, or npm test -- --rest (what npm test leaves out)`),
		);
		process.exit();
	}
}

/** The checks of `npm test`. */
const first = [
	plainCheck("Formatting and lint", ["biome", "ci", "--error-on-warnings", "."]),
	// Twice: what nothing uses, then what only tests use.
	plainCheck("Dead code", ["knip"], ["knip", "--production"]),
	// The types of the routes are generated; a fresh clone has none.
	plainCheck("Types", ["next", "typegen"], ["tsc", "--noEmit", "-p", "."]),
	build,
	vitestCheck("Unit and integration tests", ["unit", "runner"]),
	playwrightCheck("Main browser tests", ["--grep", CORE]),
];

/** The checks that `npm run test:full` adds. */
const rest = [
	vitestCheck("Selenium Grid 3, faults, attacks, several dashboards, setup, corners", ["grid", "endurance"]),
	playwrightCheck("All other browser tests", ["--grep-invert", CORE]),
	playwrightCheck("Browser tests that record, on two dashboards", [...RECORDING, "--grep", CORE], SEVERAL),
	benchCheck("Benches with few samples"),
	chaosCheck("Chaos, 2 minutes", { minutes: 2 }),
];

const wanted = readOptions();
const checks = [...(wanted.rest ? [] : first), ...(wanted.full || wanted.rest ? rest : [])];

for (const signal of ["SIGINT", "SIGTERM"]) {
	process.once(signal, () => {
		signalRunning(signal);
		process.exitCode = 1;
	});
}

try {
	await prepare(forTests);
	if (!(await performChecks(checks))) process.exitCode = 1;
} catch (error) {
	fail(error);
	say("0 passed, 1 failed");
}
