/**
 * The lanes of tests. The suffix of a file decides its lane:
 * - plain (`.test.ts`, `.spec.ts`): assertions that do not depend on the clock. All cores, at every landing.
 * - timed (`.timed.test.ts`): real time, real encoders, frame times. One worker, nothing else at the same time, at
 *   every landing.
 * - explore (`.explore.test.ts`): real test tools, Grid 4, proxies, lost networks and machines, attacks, fuzzing, chaos,
 *   checks of every page. Before a release. Single tests of other files belong to it as well: `in-explore.ts`.
 *
 * `npm test` runs the quick part of the plain lane, and the browser tests in `e2e/main`. The rest runs at a landing if
 * a change can affect it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../bin/setup/run.mjs";
import { changedSince, isTest, projectFiles, Reach } from "./reach.ts";

export type Lane = "plain" | "timed" | "explore";
export type Program = "vitest" | "playwright";
export type Part = "daily" | "landing" | "explore";

type Files = Partial<Record<Lane, string[]>>;

export interface Plan {
	vitest: Files;
	playwright: Files;
	/** Files that run again on PostgreSQL, which the plain lane runs on SQLite alone. */
	onPostgres: string[];
	/** Files of the other lanes with tests that only the explore lane runs; see `in-explore.ts`. */
	inExplore: { vitest: Files; playwright: Files };
	/** Tests of captures, excerpts and uploads, by lane, which run again with other versions of ffmpeg. */
	withFfmpeg: Files;
	/** Browser tests that run again on two dashboards. */
	onSeveral: string[];
	/** A line for the log. */
	note: string;
}

/** `npm test` leaves out files of vitest that take longer, in seconds of `durations.json`. */
const MOST_DAILY_SECONDS = 4;

/** Browser tests that record. */
const ON_SEVERAL = /^e2e\/(main\/(record|cancel)|live\.timed)\.spec\.ts$/;

/** Tests of captures, excerpts and uploads, which work with every version of ffmpeg. */
const FFMPEG_TESTS =
	/^(runner\/capture\/(ffmpeg|try-capture|begin-capture|buffer|display-pictures|equal-frames|frame-rates|presets|privacy|regions|stalls|stops|windows)|runner\/(auto-record|jobs|restart|screenshots)|runner\/video\/(parts|recorded-video)|lib\/recordings\/(excerpts|pictures)\/[\w-]+|lib\/test-results\/digest|media\/played-length|lib\/recordings\/upload\/(probe-webm|undecodable-uploads)|app\/v1\/(uploads\/any-client|recordings\/kinds|test-runs\/video-of-result))(\.timed)?\.test\.ts$/;
/** Tests that a landing repeats with a second version of ffmpeg. */
const FFMPEG_GATE =
	/\/(ffmpeg|try-capture|stops\.timed|grab-frame|changed-part|full-frame|probe-webm|undecodable-uploads)\.test\.ts$/;

/** Files whose changes may affect every test. */
const AFFECTS_ALL =
	/^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|playwright\.config\.ts|next\.config\.js|bin\/|\.ci\/|test\/(lanes|reach)\.ts)/;

export function laneOf(file: string): Lane {
	const suffix = /\.(timed|explore)\.(test\.tsx?|spec\.ts)$/.exec(file)?.[1];
	return (suffix as Lane | undefined) ?? "plain";
}

export const programOf = (file: string): Program => (file.endsWith(".spec.ts") ? "playwright" : "vitest");

/** @returns seconds by file, as last measured; see `bin/setup/durations.mjs`. */
export function measuredDurations(): Record<string, number> {
	return JSON.parse(textOf("test/durations.json"));
}

/** @returns whether `npm test` runs it. */
export function isDaily(file: string, durations: Record<string, number>): boolean {
	if (laneOf(file) !== "plain") return false;
	if (programOf(file) === "playwright") return file.startsWith("e2e/main/");
	return (durations[file] ?? 0) <= MOST_DAILY_SECONDS;
}

/**
 * @param part which tests.
 * @param since a commit: without the tests that no change since then can affect.
 * @returns the test files of a part.
 */
export function planOf(part: Part, since?: string): Plan {
	const files = projectFiles();
	const tests = files.filter(isTest);
	const durations = measuredDurations();
	const wanted = tests.filter((file) => {
		if (part === "explore") return laneOf(file) === "explore";
		return laneOf(file) !== "explore" && isDaily(file, durations) === (part === "daily");
	});
	const affected = since === undefined ? null : affectedTests(tests, files, changedSince(since));
	const ffmpegTests = tests.filter((file) => FFMPEG_TESTS.test(file) && (affected?.has(file) ?? true));
	const selected = wanted.filter((file) => affected?.has(file) ?? true);
	const left = wanted.length - selected.length;
	const byLane = (program: Program, some: readonly string[]): Files =>
		Object.groupBy(
			some.filter((file) => programOf(file) === program),
			laneOf,
		);
	const inExplore = tests.filter((file) => /\b(inExplore|variants|onOneStorage)\(/.test(textOf(file)));
	return {
		vitest: byLane("vitest", selected),
		playwright: byLane("playwright", selected),
		inExplore: { vitest: byLane("vitest", inExplore), playwright: byLane("playwright", inExplore) },
		onPostgres: tests.filter((file) => laneOf(file) === "plain" && /\bonOneDatabase\(/.test(textOf(file))),
		withFfmpeg: Object.groupBy(
			ffmpegTests.filter((file) => part === "explore" || FFMPEG_GATE.test(file)),
			laneOf,
		),
		onSeveral: tests.filter((file) => ON_SEVERAL.test(file)),
		note:
			since === undefined
				? `Tests in ${selected.length} files.`
				: `Tests in ${selected.length} files; ${left} more cannot be affected by the changes since ${since}.`,
	};
}

/** @returns the tests that a change can affect. */
export function affectedTests(
	tests: readonly string[],
	files: readonly string[],
	changed: readonly string[],
): Set<string> {
	if (changed.some((file) => AFFECTS_ALL.test(file))) return new Set(tests);
	const reach = new Reach([...new Set([...files, ...changed])]);
	const those = new Set(changed);
	return new Set(tests.filter((test) => [...reach.of(test)].some((file) => those.has(file))));
}

function textOf(file: string): string {
	return readFileSync(join(root, file), "utf8");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [part, since] = process.argv.slice(2);
	console.log(JSON.stringify(planOf(part as Part, since)));
}
