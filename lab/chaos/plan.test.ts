import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawPlan, FAULT_KINDS, type FaultKind, LANES } from "./plan.ts";

const options = (seed: number, minutes: number) => ({
	...{ seed, minutes, runners: 2, displays: 3, smallDisks: [1] },
	kinds: FAULT_KINDS,
});

test("the same seed gives the same plan, another seed another one", () => {
	expect(drawPlan(options(11, 3))).toEqual(drawPlan(options(11, 3)));
	expect(drawPlan(options(11, 3)).faults).not.toEqual(drawPlan(options(12, 3)).faults);
	expect(drawPlan(options(11, 3)).slots).not.toEqual(drawPlan(options(12, 3)).slots);
});

test("in three minutes every slot holds a job of `tapedeck record`, and none with a grid is one", () => {
	fc.assert(
		fc.property(fc.nat(), (seed) => {
			for (const jobs of drawPlan(options(seed, 3)).slots) {
				const commands = jobs.filter(({ origin }) => origin === "command");
				expect(commands.length).toBeGreaterThan(0);
				expect(commands.some(({ stopCondition }) => stopCondition === "selenium_idle")).toBe(false);
			}
		}),
	);
});

test("three minutes hold every kind of fault, and every one is over before the end", () => {
	fc.assert(
		fc.property(fc.nat(), (seed) => {
			const { faults } = drawPlan(options(seed, 3));
			expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
			for (const { at, seconds } of faults) expect(at + seconds).toBeLessThan(180);
		}),
	);
});

test("faults of one lane never overlap, in long runs neither", () => {
	fc.assert(
		fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, minutes) => {
			const { faults } = drawPlan(options(seed, minutes));
			for (const kinds of LANES as readonly (readonly FaultKind[])[]) {
				const lane = faults.filter(({ kind }) => kinds.includes(kind));
				for (const [index, fault] of lane.entries()) {
					const before = lane[index - 1];
					if (before !== undefined) expect(fault.at).toBeGreaterThanOrEqual(before.at + before.seconds);
				}
			}
		}),
		{ numRuns: 50 },
	);
});

test("an hour repeats every kind many times, and none lasts longer than two minutes", () => {
	const { faults } = drawPlan(options(1, 60));
	for (const kind of FAULT_KINDS) expect(faults.filter((fault) => fault.kind === kind).length).toBeGreaterThan(4);
	expect(Math.max(...faults.map(({ seconds }) => seconds))).toBeLessThanOrEqual(120);
});

test("only what is possible is planned, and disks are filled only where they are small", () => {
	const kinds: FaultKind[] = ["kill_ffmpeg", "fill_runner_disk", "stall"];
	const { faults } = drawPlan({ ...options(4, 10), kinds });
	expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(kinds));
	for (const { kind, runner } of faults) if (kind === "fill_runner_disk") expect(runner).toBe(1);
	expect(drawPlan({ ...options(4, 10), kinds: [] }).faults).toEqual([]);
});

test("all stop conditions, displays, runners and ways to start a job are used, gaps between sessions stay below 4 s", () => {
	const jobs = drawPlan(options(2, 3)).slots.flat();
	expect(new Set(jobs.map(({ stopCondition }) => stopCondition)).size).toBe(3);
	expect(new Set(jobs.map(({ display }) => display))).toEqual(new Set([0, 1, 2]));
	expect(new Set(jobs.map(({ runner }) => runner))).toEqual(new Set([0, 1]));
	expect(new Set(jobs.map(({ origin }) => origin))).toEqual(new Set(["dashboard", "command"]));
	for (const { gridGap } of jobs) expect(gridGap).toBeLessThan(4);
	expect(jobs.some(({ gridGap }) => gridGap > 0)).toBe(true);
});
