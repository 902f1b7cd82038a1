/** Finds the tests that a change can affect. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { affectedTests, isDaily, laneOf, planOf } from "./lanes.ts";
import { importsOf, isTest, projectFiles, Reach } from "./reach.ts";

const files = projectFiles();
const reach = new Reach(files);
const tests = files.filter(isTest);
const affectedBy = (...changed: string[]) => affectedTests(tests, files, changed);

test.each([
	["lib/lifecycle/transitions.test.ts", "lib/lifecycle/transitions.ts"],
	["lib/jobs/list-jobs.test.ts", "contract/search.ts"],
	["lib/jobs/list-jobs.test.ts", "app/v1/jobs/route.ts"],
	["runner/start.test.ts", "runner/capture/ffmpeg.ts"],
	["runner/start.test.ts", "media/mp4-index.ts"],
	["e2e/main/record.spec.ts", "components/jobs/list/jobs-page.tsx"],
	["e2e/main/record.spec.ts", "runner/capture/ffmpeg.ts"],
	["e2e/main/record.spec.ts", "lib/jobs/cancel-job.ts"],
	["e2e/main/up.spec.ts", "bin/setup/up.mjs"],
	["app/metrics/deploy-files.test.ts", "deploy/haproxy.cfg"],
])("%s reaches %s", (from, to) => {
	expect(files).toContain(to);
	expect(reach.of(from)).toContain(to);
});

test("a change of a component affects each browser test, and no test without a browser but the component's own", () => {
	const affected = affectedBy("components/jobs/list/jobs-page.tsx");
	expect(tests.filter((file) => file.endsWith(".spec.ts") && !affected.has(file))).toEqual([]);
	const others = [...affected].filter(
		(file) => /^(lib|contract|media|runner|app)\//.test(file) && !/from "playwright"/.test(readFileSync(file, "utf8")),
	);
	expect(others).toEqual([]);
	// Playwright is a tool there, whose tests open pages of their own.
	expect(affected).not.toContain("clients/playwright/src/reporter.test.ts");
	expect(affected).toContain("e2e/evidence.timed.test.ts");
	expect(affectedBy("components/uploads/upload-curl.ts")).toContain("components/uploads/upload-curl.test.ts");
});

test("a change of the runner does not affect tests of the dashboard alone", () => {
	const affected = affectedBy("runner/capture/ffmpeg.ts");
	expect(affected).toContain("runner/jobs.test.ts");
	expect(affected).not.toContain("lib/jobs/list-jobs.test.ts");
});

test("a change of a document affects only tests that read it", () => {
	expect(affectedBy("docs/compare.md").size).toBeLessThan(tests.length / 10);
	expect([...affectedBy("docs/ci.md")].some((file) => file.includes("ci-guide"))).toBe(true);
});

test("a change of what every test depends on affects all of them", () => {
	for (const file of ["package-lock.json", "vitest.config.ts", "bin/setup/run.mjs", "test/lanes.ts"])
		expect(affectedBy(file)).toEqual(new Set(tests));
});

test("a changed test is affected itself, and a deleted file affects nothing", () => {
	expect(affectedBy("lib/jobs/list-jobs.test.ts")).toEqual(new Set(["lib/jobs/list-jobs.test.ts"]));
	expect(affectedBy("lib/jobs/deleted.ts")).toEqual(new Set());
});

test("the suffix of a file says its lane", () => {
	expect(laneOf("runner/capture/stalls.timed.test.ts")).toBe("timed");
	expect(laneOf("e2e/live.timed.spec.ts")).toBe("timed");
	expect(laneOf("e2e/grid4.explore.test.ts")).toBe("explore");
	expect(laneOf("components/jobs/job-note.test.tsx")).toBe("plain");
});

test("the explore lane runs each file again that declares tests for it, in the lane of the file", () => {
	const { vitest, playwright } = planOf("explore").inExplore;
	expect(vitest.timed).toContain("runner/capture/stalls.timed.test.ts");
	const planned = [vitest, playwright].flatMap((lanes) => Object.values(lanes).flat());
	const declaring = tests.filter((file) => /in-explore\.ts|\bonOneStorage\b/.test(readFileSync(file, "utf8")));
	expect(planned.sort()).toEqual(declaring.sort());
	expect(planned.filter((file) => laneOf(file) === "explore")).toEqual([]);
});

test("npm test has the quick files of the plain lane and the main browser tests", () => {
	const durations = { "lib/slow.test.ts": 60, "lib/quick.test.ts": 2, "e2e/main/record.spec.ts": 60 };
	const daily = (file: string) => isDaily(file, durations);
	expect(["lib/quick.test.ts", "lib/new.test.ts", "e2e/main/record.spec.ts"].every(daily)).toBe(true);
	const others = ["lib/slow.test.ts", "runner/x.timed.test.ts", "e2e/x.explore.test.ts", "e2e/pages/jobs.spec.ts"];
	expect(others.some(daily)).toBe(false);
});

test("an import in any notation is seen, and words in a text are not", () => {
	const text = `import a, { type B } from "./a.ts";
import {
	c,
} from "#lib/c.ts";
import type { D } from "d";
import "./side-effect.ts";
export * from "./e.ts";
export { f } from "./f.ts";
const g = await import("./g.ts");
type H = import("./h.ts").H;
const sql = \`select 1 from "dashboardNode"\`;
export const i = 'from "j"';`;
	expect(importsOf(text).sort()).toEqual(
		["#lib/c.ts", "./a.ts", "./e.ts", "./f.ts", "./g.ts", "./h.ts", "./side-effect.ts", "d"].sort(),
	);
});
