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
	expect(sourceLinks({ "ci.url": ci, commit, branch: "feature/a b" }, null)).toEqual({
		"ci.url": ci,
		commit: commits + commit,
		branch,
	});
});

test("the CI job of an unknown host has its address alone", () => {
	const ci = "https://ci.example.com/job/shop/12/";
	expect(sourceLinks({ "ci.url": ci, commit, branch: "main" }, null)).toEqual({ "ci.url": ci });
});

test("a text becomes no link if it is no web address or would lead out of the repository", () => {
	expect(sourceLinks({ "ci.url": "javascript:alert(1)", commit }, null)).toEqual({});
	expect(sourceLinks({ "ci.url": "http:///", commit }, null)).toEqual({});
	expect(sourceLinks({ commit, branch: "main" }, null)).toEqual({});
	const ci = "https://github.com/acme/shop/actions/runs/12";
	expect(sourceLinks({ "ci.url": ci, commit: "not a commit", branch: "../../other" }, null)).toEqual({ "ci.url": ci });
});

test("commits of other hosts are where the organization's template says, if their labels can be in an address", () => {
	const template = "https://git.example.com/{repository}/-/rev/{commit}?from={branch}";
	const labels = { commit, repository: "acme/web shop", branch: "a&b" };
	const found = `https://git.example.com/acme/web%20shop/-/rev/${commit}?from=a%26b`;
	expect(sourceLinks(labels, template)).toEqual({ commit: found });
	const ci = "https://ci.example.com/job/12";
	expect(sourceLinks({ ...labels, "ci.url": ci }, template)).toEqual({ "ci.url": ci, commit: found });
	// A host that is known says it itself.
	const github = "https://github.com/acme/shop/actions/runs/12";
	expect(sourceLinks({ ...labels, "ci.url": github }, template).commit).toBe(
		`https://github.com/acme/shop/commit/${commit}`,
	);
	for (const missing of [{ repository: "../other" }, { repository: "" }, { commit: "HEAD" }]) {
		expect(sourceLinks({ ...labels, ...missing }, template).commit).toBeUndefined();
	}
	expect(sourceLinks({ commit, branch: "main" }, template)).toEqual({});
});
