import { expect, test } from "vitest";
import { sourceLinks } from "./source-links.ts";

const commit = "9fceb02d0ae598e95dc970b74767f19372d61af8";

test.each([
	[
		"GitHub",
		"https://github.com/acme/shop/actions/runs/12/attempts/1",
		"https://github.com/acme/shop/commit/",
		"https://github.com/acme/shop/tree/feature/a%20b",
	],
	[
		"GitLab in a group of groups",
		"https://git.example.com/acme/web/shop/-/jobs/7",
		"https://git.example.com/acme/web/shop/-/commit/",
		"https://git.example.com/acme/web/shop/-/tree/feature/a%20b",
	],
	[
		"Bitbucket",
		"https://bitbucket.org/acme/shop/pipelines/results/3",
		"https://bitbucket.org/acme/shop/commits/",
		"https://bitbucket.org/acme/shop/branch/feature/a%20b",
	],
])("the CI job, the commit and the branch of a repository on %s have their addresses", (_host, ci, commits, branch) => {
	expect(sourceLinks({ "ci.url": ci, commit, branch: "feature/a b" })).toEqual({
		"ci.url": ci,
		commit: commits + commit,
		branch,
	});
});

test("the CI job of an unknown host has its address alone", () => {
	const ci = "https://ci.example.com/job/shop/12/";
	expect(sourceLinks({ "ci.url": ci, commit, branch: "main" })).toEqual({ "ci.url": ci });
});

test("what is no address of the web becomes no link, and neither does what would lead out of the repository", () => {
	expect(sourceLinks({ "ci.url": "javascript:alert(1)", commit })).toEqual({});
	expect(sourceLinks({ "ci.url": "http:///", commit })).toEqual({});
	expect(sourceLinks({ commit, branch: "main" })).toEqual({});
	const ci = "https://github.com/acme/shop/actions/runs/12";
	expect(sourceLinks({ "ci.url": ci, commit: "not a commit", branch: "../../other" })).toEqual({ "ci.url": ci });
});
