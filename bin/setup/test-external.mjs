/** `npm run test:external`: tests that need more than npm and Debian packages: Grid 4, Selenium's client, schemathesis, moto, pytest, jest, mocha, JUnit. */
import { ensureBuilt } from "./build.mjs";
import { performChecks, vitestCheck } from "./checks.mjs";
import {
	ensureGrid4,
	ensureMoto,
	ensurePythonTests,
	ensureSchemathesis,
	ensureSeleniumClient,
	ensureTestTools,
} from "./external-programs.mjs";
import { prepare } from "./prepare.mjs";
import { fail } from "./remedy.mjs";
import { say, signalRunning } from "./run.mjs";
import { forExternalTests } from "./system-packages.mjs";

for (const signal of ["SIGINT", "SIGTERM"]) {
	process.once(signal, () => {
		signalRunning(signal);
		process.exitCode = 1;
	});
}

try {
	await prepare(forExternalTests);
	await ensureGrid4();
	await ensureSeleniumClient();
	await ensureSchemathesis();
	await ensureMoto();
	await ensurePythonTests();
	await ensureTestTools();
	await ensureBuilt();
	if (
		!(await performChecks([
			vitestCheck(
				"Selenium Grid 4, an S3 server, the Python client, reports and results of other test tools, and schemathesis against the contract",
				["external"],
			),
		]))
	)
		process.exitCode = 1;
} catch (error) {
	fail(error);
	say("0 passed, 1 failed");
}
