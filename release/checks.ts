/** Reasons why a commit cannot be released. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changelogEntry } from "./changelog.ts";
import { projectVersion, versionProblems } from "./versions.ts";

const MIGRATIONS = "lib/db/migrations";

/**
 * @param root the project's folder.
 * @param openApi the OpenAPI document of the code, as docs/openapi.json should have it.
 * @returns a sentence with the remedy for each reason. None if the commit can be released.
 */
export function releaseProblems(root: string, openApi: string): string[] {
	const version = projectVersion(root);
	const text = (file: string) => readFileSync(join(root, file), "utf8");
	const problems = [...changedFiles(root), ...tagProblems(root, version), ...versionProblems(root)];
	if (changelogEntry(text("CHANGELOG.md"), version) === null)
		problems.push(`CHANGELOG.md has no entry for ${version}: write one under "## [${version}] - <date>".`);
	if (text("docs/openapi.json") !== openApi)
		problems.push("docs/openapi.json is not the code's: run node test/openapi/write-released.ts.");
	return [...problems, ...changedMigrations(root, version)];
}

/** @returns the lines that git prints. */
const git = (root: string, ...args: string[]): string[] =>
	execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
		.split("\n")
		.filter((line) => line !== "");

function changedFiles(root: string): string[] {
	const changed = git(root, "status", "--porcelain").map((line) => line.slice(3));
	return changed.length === 0 ? [] : [`Files are not committed: ${changed.join(", ")}. Commit or remove them.`];
}

function tagProblems(root: string, version: string): string[] {
	const [head] = git(root, "rev-parse", "HEAD");
	const tagged = commitOfTag(root, `v${version}`);
	if (tagged === head) return [];
	if (tagged === null) return [`The commit has no tag v${version}: create it with git tag v${version}.`];
	return [`The tag v${version} is at another commit, ${tagged.slice(0, 9)}: raise the version with "npm version".`];
}

function commitOfTag(root: string, tag: string): string | null {
	try {
		return git(root, "rev-parse", "--verify", `refs/tags/${tag}^{commit}`)[0] ?? null;
	} catch {
		return null;
	}
}

/** Databases have applied the migrations of earlier releases, and would not apply them again. */
function changedMigrations(root: string, version: string): string[] {
	const [previous] = git(root, "tag", "--merged", "HEAD", "--list", "v*", "--sort=-version:refname").filter(
		(tag) => tag !== `v${version}`,
	);
	if (previous === undefined) return [];
	const filter = ["--name-only", "--no-renames", "--diff-filter=MD"];
	const changed = git(root, "diff", ...filter, previous, "HEAD", "--", MIGRATIONS);
	return changed
		.filter((file) => !file.endsWith(".test.ts"))
		.map((file) => `${file} has changed since ${previous}: restore it, and add a migration instead.`);
}
