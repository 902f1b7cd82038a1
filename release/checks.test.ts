/** Refusals of a release, in a repository of its own. */
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openApiText } from "#test/openapi/released-document.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { releaseProblems } from "./checks.ts";
import { versionProblems, writeVersion } from "./versions.ts";

const OPEN_API = "{}\n";
const MIGRATION = "lib/db/migrations/0001-first.ts";
const REPEATING = [
	"contract/version.ts",
	"server.json",
	"deploy/chart/Chart.yaml",
	"clients/python/pyproject.toml",
	"docs/clients.md",
].concat(["typescript", "playwright"].flatMap((name) => [`clients/${name}/package.json`, `clients/${name}/README.md`]));

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("release-test");
	for (const file of REPEATING) await cp(join(root, file), join(folder, file), { recursive: true });
	await write("package.json", '{ "version": "1.2.0" }');
	writeVersion(folder);
	await write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-28\n\n- Something.\n");
	await write("docs/openapi.json", OPEN_API);
	await write(MIGRATION, "");
	git("init", "--quiet");
	commit();
	git("tag", "v1.2.0");
});

async function write(file: string, text: string): Promise<void> {
	await mkdir(dirname(join(folder, file)), { recursive: true });
	await writeFile(join(folder, file), text);
}
function git(...args: string[]): void {
	const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
	execFileSync("git", [...identity, ...args], { cwd: folder });
}
function commit(): void {
	git("add", "--all");
	git("commit", "--quiet", "--message", "Change");
}
/** Commits everything, and moves the tag there. */
function commitTagged(): void {
	commit();
	git("tag", "--force", "v1.2.0");
}
const problems = (openApi = OPEN_API) => releaseProblems(folder, openApi);

test("a committed, tagged and described version can be released", () => {
	expect(problems()).toEqual([]);
});

test("a release is refused when a file is not committed", async () => {
	await write("notes.txt", "mine");
	expect(problems()).toEqual([expect.stringContaining("not committed: notes.txt")]);
});

test("a release is refused when its tag is missing or at another commit", async () => {
	await write("more.txt", "");
	commit();
	expect(problems()).toEqual([expect.stringMatching(/^The tag v1\.2\.0 is at another commit, [0-9a-f]{9}: /)]);
	git("tag", "--delete", "v1.2.0");
	expect(problems()).toEqual(["The commit has no tag v1.2.0: create it with git tag v1.2.0."]);
});

test.each([
	["is missing", "## [Unreleased]\n\n- Something.\n"],
	["is empty", "## [1.2.0] - 2026-11-28\n\n## [1.1.0] - 2026-11-27\n\n- Something.\n"],
	["has no date", "## [1.2.0]\n\n- Something.\n"],
])("a release is refused when its changelog entry %s", async (_what, changelog) => {
	await write("CHANGELOG.md", `# Changelog\n\n${changelog}`);
	commitTagged();
	expect(problems()).toEqual([expect.stringContaining("CHANGELOG.md has no entry for 1.2.0")]);
});

test("a release is refused when docs/openapi.json is not the code's document", () => {
	expect(problems('{ "openapi": "3.1.0" }\n')).toEqual([expect.stringContaining("docs/openapi.json")]);
});

test.each(
	REPEATING.filter((file) => file !== "clients/python/pyproject.toml"),
)("a release is refused when %s has another version", async (file) => {
	await write("package.json", '{ "version": "1.1.0" }');
	writeVersion(folder);
	const old = await readFile(join(folder, file), "utf8");
	await write("package.json", '{ "version": "1.2.0" }');
	writeVersion(folder);
	await write(file, old);
	commitTagged();
	expect(problems()).toEqual([`${file} has version 1.1.0, and package.json has 1.2.0: set it with "npm version".`]);
});

test("a release is refused when a migration of an earlier release was changed or deleted", async () => {
	git("tag", "v1.1.0");
	await write(MIGRATION, "changed");
	await write("lib/db/migrations/0002-second.ts", "");
	commitTagged();
	expect(problems()).toEqual([`${MIGRATION} has changed since v1.1.0: restore it, and add a migration instead.`]);
	await rm(join(folder, MIGRATION));
	commitTagged();
	expect(problems()).toHaveLength(1);
});

test("all files of this copy have the version of package.json", () => {
	expect(versionProblems(root)).toEqual([]);
});

test("the document that a release compares is the OpenAPI document of the routes", async () => {
	expect(JSON.parse(await openApiText())).toMatchObject({ openapi: expect.any(String), paths: { "/v1/jobs": {} } });
});
