/** `npm test`: everything that checks the project, with the same set-up as `npm run up`. */
import { ensureBuilt } from "./build.mjs";
import { benchCheck, chaosCheck, performChecks, plainCheck, playwrightCheck, vitestCheck } from "./checks.mjs";
import { prepare } from "./prepare.mjs";
import { fail } from "./remedy.mjs";
import { say, signalRunning } from "./run.mjs";
import { forTests } from "./system-packages.mjs";

const build = {
	title: "Build",
	perform: async () => {
		await ensureBuilt();
		return { passed: 0, failed: 0 };
	},
};

const checks = [
	plainCheck("Formatting and lint", ["biome", "ci", "--error-on-warnings", "."]),
	// The types of the routes are generated; a fresh clone has none.
	plainCheck("Types", ["next", "typegen"], ["tsc", "--noEmit", "-p", "."]),
	vitestCheck("Unit and integration tests", ["unit"]),
	build,
	vitestCheck("A real Selenium Grid 3", ["grid"]),
	vitestCheck("Kills, cuts and silences", ["endurance"]),
	playwrightCheck("Browser tests"),
	benchCheck("Benches, few samples each"),
	chaosCheck("Chaos, 3 minutes", { minutes: 3, seed: 3 }),
];

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
