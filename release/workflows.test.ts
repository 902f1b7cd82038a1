/** The workflows of GitHub: what they use, and what they may do. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "#test/stack.ts";

const FOLDER = join(root, ".github", "workflows");

interface Workflow {
	permissions: object;
	jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
}

test("every workflow may only read by itself, and pins each action by its hash", async () => {
	const files = await readdir(FOLDER);
	expect(files.sort()).toEqual(["ci.yml", "release.yml"]);
	for (const file of files) {
		const { permissions, jobs } = parse(await readFile(join(FOLDER, file), "utf8")) as Workflow;
		expect(permissions, file).toEqual({ contents: "read" });
		const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
		expect(used.length, file).toBeGreaterThan(0);
		for (const action of used) expect(action, file).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
	}
});

test("the scripts that the workflows run are in the package", async () => {
	const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
	const text = await readFile(join(FOLDER, "release.yml"), "utf8");
	const called = new Set([...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name));
	expect([...called].filter((name) => !(name in scripts))).toEqual([]);
	expect([...called]).toContain("release");
	expect(await readFile(join(FOLDER, "ci.yml"), "utf8")).toContain("bash .ci/run");
});
