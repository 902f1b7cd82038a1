import type { Build } from "@tapedeck/contract/build.ts";
import { expect, test } from "vitest";
import { lanesOf } from "./lanes.ts";

const build = (name: string, branch: string | null, repository: string | null = null, workflow: string | null = null) =>
	({ build: name, branch, repository, workflow }) as Build;

const shown = (builds: Build[]) =>
	lanesOf(builds).map(({ branch, series, builds }) => [branch, series, builds.map(({ build }) => build).join(" ")]);

test("builds of one branch are in a lane for each repository and workflow, default branches first", () => {
	expect(
		shown([
			build("9", "fix/cart", "acme/shop", "CI"),
			build("8", "main", "acme/shop", "CI"),
			build("7", "main", "acme/shop", "Nightly"),
			build("6", "main", "acme/shop", "CI"),
			build("5", "fix/cart", "acme/shop", "CI"),
			build("4", "main", "acme/docs", "CI"),
		]),
	).toEqual([
		["main", "acme/shop · CI", "8 6"],
		["main", "acme/shop · Nightly", "7"],
		["main", "acme/docs · CI", "4"],
		["fix/cart", "acme/shop · CI", "9 5"],
	]);
});

test("builds without labels are in a lane with those whose names differ only by a number", () => {
	expect(
		shown([build("nightly 12", null), build("release 3", null), build("nightly 11", null), build("4", "x")]),
	).toEqual([
		[null, "nightly", "nightly 12 nightly 11"],
		[null, "release", "release 3"],
		["x", "", "4"],
	]);
});
