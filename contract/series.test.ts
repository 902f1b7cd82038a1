import { expect, test } from "vitest";
import { isSameSeries, nameWithoutNumber, repositoryOf } from "./series.ts";

test.each([
	["acme/shop CI #12", "acme/shop CI #"],
	["r/3", "r/"],
	["web 1.4 build 10", "web 1.4 build"],
	["12 (retry)", "(retry)"],
	["42", ""],
	["release", "release"],
	["nightly 2026-11-28", "nightly"],
	["nightly 2026-11-28T02:00", "nightly"],
	["shop deploy #20261128.3", "shop deploy #"],
	["shop 9f3c2ab", "shop"],
	["4b825dc642cb6eb9a060e54bf8d69288fbee4904", ""],
	["defaced", "defaced"],
	["web-12345678", "web-"],
])("the build %j is of the series %j", (build, series) => {
	expect(nameWithoutNumber(build)).toBe(series);
});

test("a name of hostile digits takes linear time", () => {
	const begin = performance.now();
	for (const part of ["1", "2020-10-10 ", "20201010", "1a", "a1-"]) nameWithoutNumber(part.repeat(20_000));
	expect(performance.now() - begin).toBeLessThan(1_000);
});

test("a test is of its repository, or else of its build's series", () => {
	expect(repositoryOf({ repository: "acme/shop", build: "CI 7" })).toBe("acme/shop");
	expect(repositoryOf({ build: "CI 7" })).toBe("CI");
	expect(repositoryOf({})).toBe("");
});

test.each([
	["https://github.com/acme/shop/actions/runs/7/job/9", "acme/shop"],
	["https://gitlab.example.com/acme/web/shop/-/jobs/7", "acme/web/shop"],
	["https://bitbucket.org/acme/shop/pipelines/results/7", "acme/shop"],
	["https://jenkins.example.com/job/shop/7", "CI"],
])("without the label repository, a test whose ci.url is %s is of %s", (ciUrl, repository) => {
	expect(repositoryOf({ build: "CI 7", "ci.url": ciUrl })).toBe(repository);
	expect(repositoryOf({ build: "CI 7", "ci.url": ciUrl, repository: "own" })).toBe("own");
});

test("builds of one repository and workflow are a series whatever they are called; of others, names of one form", () => {
	const labelled = { repository: "acme/shop", workflow: "CI" };
	expect(isSameSeries({ ...labelled, name: "one" }, { ...labelled, name: "other" })).toBe(true);
	const onlyRepository = { repository: "acme/shop", workflow: null };
	expect(isSameSeries({ ...onlyRepository, name: "CI 1" }, { ...onlyRepository, name: "CI 2" })).toBe(true);
	expect(isSameSeries({ ...onlyRepository, name: "CI 1" }, { ...onlyRepository, name: "nightly 2" })).toBe(false);
	expect(isSameSeries({ ...labelled, name: "CI 1" }, { ...onlyRepository, name: "CI 2" })).toBe(false);
});
