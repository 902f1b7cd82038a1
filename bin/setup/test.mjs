/**
 * `npm test`: the checks of every change, with the same setup as `npm run up`. `npm run test:landing` runs the other
 * checks of a landing, `npm run test:explore` those of a release. `test/lanes.ts` defines the tests of each.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./build.mjs";
import { benchCheck, chaosCheck, performChecks, plainCheck, playwrightCheck, vitestCheck } from "./checks.mjs";
import { keepDurations } from "./durations.mjs";
import { ensureExploreTools } from "./external-programs.mjs";
import { ensureFfmpeg, FFMPEG_VERSIONS, lacksFor } from "./ffmpeg-versions.mjs";
import { node24 } from "./node-packages.mjs";
import { prepare } from "./prepare.mjs";
import { fail, Remedy } from "./remedy.mjs";
import { lastLines, root, run, say, signalRunning } from "./run.mjs";
import { forExploreTests, forTests } from "./system-packages.mjs";

const USAGE = `usage: npm test [-- --changed]                             --changed: those that changes since the remote's main branch
                                                          can affect, or all if nothing has changed since
       npm run test:landing [-- --since COMMIT | --all]   those that changes since the commit can affect; by default since
                                                          the remote's main branch, or all if nothing has changed since
       npm run test:explore`;

/** The exit status of a run that stopped before its tests, because formatting, lint, dead code or types failed. */
const STOPPED = 2;

const PARTS = ["daily", "landing", "explore"];

function readOptions() {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				since: { type: "string" },
				all: { type: "boolean" },
				changed: { type: "boolean" },
				// For .ci/run: the number of unstable tests in `npm test`.
				"earlier-unstable": { type: "string", default: "0" },
			},
		});
		const [part = "daily", ...more] = positionals;
		if (!PARTS.includes(part) || more.length > 0) throw new Error(`There is no part named ${positionals.join(" ")}.`);
		const { since, all, changed = part === "landing" } = values;
		return { part, since, all, changed, earlierUnstable: Number(values["earlier-unstable"]) };
	} catch (error) {
		fail(new Remedy(`${error.message.split(".")[0]}.\n${USAGE}`));
		process.exit();
	}
}

/** @returns the plan of `test/lanes.ts`, which needs the Node of the packages */
async function planOf({ part, since, all, changed }) {
	const base = since ?? (changed && !all ? await remoteBase() : undefined);
	const args = [join(root, "test", "lanes.ts"), part, ...(base === undefined ? [] : [base])];
	const { status, stdout, stderr } = spawnSync(await node24(), args, { cwd: root, encoding: "utf8" });
	if (status !== 0) throw new Remedy(`The tests to run could not be listed:\n${lastLines(stderr)}`);
	return JSON.parse(stdout);
}

/** @returns the commit of the remote's main branch that this checkout has changed since; undefined if there is none */
async function remoteBase() {
	const ask = async (...args) => (await run("git", args, { quiet: true })).output.trim();
	const base = await ask("merge-base", "origin/HEAD", "HEAD");
	return /^[0-9a-f]{40}$/.test(base) && base !== (await ask("rev-parse", "HEAD")) ? base : undefined;
}

const buildCheck = {
	title: "Build",
	perform: async () => {
		await ensureBuilt();
		return { passed: 0, failed: 0 };
	},
};

const gates = [
	plainCheck("Formatting and lint", [["biome", "ci", "--error-on-warnings", "."]], { isGate: true }),
	// The types of the routes and of the API are generated; a fresh clone has none.
	plainCheck(
		"Generated types",
		[
			["next", "typegen"],
			["node", "clients/typescript/generate-types.ts"],
		],
		{ isGate: true },
	),
	// Twice: what nothing uses, then what only tests use.
	plainCheck("Dead code", [["knip"], ["knip", "--production"]], { isGate: true }),
	plainCheck("Types", [["tsc", "--noEmit", "-p", "."]], { isGate: true }),
];

/** Programs of the explore part may take more than an hour: no CI limits it. */
const EXPLORE_TIMEOUT_MS = 3 * 60 * 60_000;

/** A check for each lane and program with planned files. */
const testsOf = ({ vitest, playwright }) => [
	...Object.entries(vitest).map(([lane, files]) => ({ lane, files, check: vitestCheck, what: "tests" })),
	...Object.entries(playwright).map(([lane, files]) => ({
		lane,
		files,
		check: playwrightCheck,
		what: "browser tests",
	})),
];

/**
 * @param options.suffix is added to the titles.
 * @param options.timeoutMs ends each program after this long.
 */
const checksOf = (plan, { suffix = "", timeoutMs } = {}) =>
	testsOf(plan)
		.filter(({ files }) => files.length > 0)
		// Tests of real time come last, so that nothing else runs at the same time.
		.sort((a, b) => Number(a.lane === "timed") - Number(b.lane === "timed"))
		.map(({ lane, files, check, what }) => check(`Lane ${lane}: ${what}${suffix}`, lane, files, { timeoutMs }));

const ON_POSTGRES = { TAPEDECK_TEST_POSTGRES: "1" };
/** Two dashboards on PostgreSQL and a bucket, behind a balancer. */
const SEVERAL = { TAPEDECK_TEST_DASHBOARDS: "2" };

/** Captures, excerpts and uploads with another version of ffmpeg, which is installed when its tests begin. */
const ffmpegChecks = (version, { withFfmpeg }) =>
	Object.entries(withFfmpeg).map(([lane, files]) => {
		const title = `Tests with ffmpeg ${version}: lane ${lane}`;
		const able = files.filter((file) => !lacksFor(version).includes(file));
		const check = async () =>
			vitestCheck(title, lane, able, { env: { TAPEDECK_TEST_FFMPEG: await ensureFfmpeg(version) } });
		return {
			title,
			perform: async () => (await check()).perform(),
			rerun: async (file) => (await check()).rerun(file),
		};
	});

/** The version that a landing tests in addition to the machine's own. The deployed images use it. */
const SECOND_FFMPEG = "7.1";

const exploreChecks = (plan) => [
	...checksOf(plan, { timeoutMs: EXPLORE_TIMEOUT_MS }),
	...checksOf(plan.inExplore, { suffix: ", with those of the explore lane", timeoutMs: EXPLORE_TIMEOUT_MS }),
	...FFMPEG_VERSIONS.flatMap((version) => ffmpegChecks(version, plan)),
	vitestCheck("Tests of one database on PostgreSQL", "plain", plan.onPostgres, { env: ON_POSTGRES }),
	playwrightCheck("Browser tests that record, on two dashboards", "plain", plan.onSeveral, { env: SEVERAL }),
	benchCheck("Benches with few samples"),
	chaosCheck("Chaos, 2 minutes", "run.ts", { minutes: 2 }),
];

const options = readOptions();
const { part } = options;
// Declares the tests of `test/in-explore.ts`, with every ffmpeg and database.
if (part === "explore") process.env.TAPEDECK_TEST_EXPLORE = "1";

for (const signal of ["SIGINT", "SIGTERM"]) {
	process.once(signal, () => {
		signalRunning(signal);
		process.exitCode = 1;
	});
}

try {
	await prepare(part === "explore" ? forExploreTests : forTests);
	const plan = await planOf(options);
	if (part === "explore") await ensureExploreTools();
	const checks =
		part === "daily"
			? [...gates, buildCheck, ...checksOf(plan)]
			: part === "explore"
				? [buildCheck, ...exploreChecks(plan)]
				: [buildCheck, ...ffmpegChecks(SECOND_FFMPEG, plan), ...checksOf(plan)];
	say(plan.note);
	const { passed, stopped, seconds } = await performChecks(checks, options);
	if (!passed) process.exitCode = stopped ? STOPPED : 1;
	// In CI, the checkout is deleted.
	if (!process.env.CI) keepDurations(seconds);
} catch (error) {
	fail(error);
	say("0 unstable\n0 passed, 1 failed");
}
