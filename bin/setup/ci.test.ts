/** The script of CI, with an npm whose commands end as each test says. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { root } from "./run.mjs";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("ci");
	await mkdir(join(folder, ".ci"));
	await cp(join(root, ".ci", "run"), join(folder, ".ci", "run"));
});

const ends = (unstable: number, passed: number, failed: number, more = "") =>
	`── Summary\n${more}   12 s  Tests\n${unstable} unstable\n${passed} passed, ${failed} failed`;

/** Runs the script. @param first what `npm test` prints, and its exit status. @param second the same for the rest. @param before a command of both */
async function runCi(first: [string, number], second: [string, number] = [ends(0, 5, 0), 0], before = "") {
	const npm = `#!/bin/sh
echo "npm $*" >> "${folder}/calls"
${before}
if [ "$1" = test ]; then cat <<'END'
${first[0]}
END
exit ${first[1]}; fi
cat <<'END'
${second[0]}
END
echo "npm error Lifecycle script failed" >&2
exit ${second[1]}
`;
	await writeFile(join(folder, "npm"), npm);
	await chmod(join(folder, "npm"), 0o755);
	const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
		const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
		const child = execFile("bash", [join(folder, ".ci", "run")], { env }, (_error, stdout) =>
			done({ code: child.exitCode ?? -1, output: stdout }),
		);
	});
	return {
		code,
		output,
		lastLines: output.trimEnd().split("\n").slice(-2),
		calls: (await readFile(join(folder, "calls"), "utf8")).trim().split("\n"),
	};
}

test("CI adds up both parts, closes with the counts, and repeats both summaries before them", async () => {
	const run = await runCi([ends(0, 10, 0), 0], [ends(1, 5, 0, "Unstable: late.test.ts › ends\n"), 0]);
	expect(run.lastLines).toEqual(["1 unstable", "15 passed, 0 failed"]);
	expect(run.code).toBe(0);
	expect(run.output.slice(run.output.indexOf("── Both parts"))).toContain("Unstable: late.test.ts › ends");
});

test("CI counts the tests of a part whose output has bytes that are no text, such as a picture that is no JSON", async () => {
	const run = await runCi([ends(0, 10, 0), 0], [ends(0, 5, 0), 0], "printf '\\377\\330\\000\\n'");
	expect([run.code, run.lastLines]).toEqual([0, ["0 unstable", "15 passed, 0 failed"]]);
});

test("CI tells the second part how many tests of the first were unstable", async () => {
	const run = await runCi([ends(2, 10, 0), 0], [ends(0, 5, 0), 0]);
	expect(run.calls).toEqual(["npm test -- --changed", "npm run test:landing -- --earlier-unstable 2"]);
});

test("CI fails when a part fails, and runs the second part although a test of the first failed", async () => {
	const run = await runCi([ends(0, 9, 1), 1]);
	expect(run.calls).toHaveLength(2);
	expect(run.lastLines).toEqual(["0 unstable", "14 passed, 1 failed"]);
	expect(run.code).toBe(1);
});

test("CI stops after formatting, lint, types or dead code have failed", async () => {
	const run = await runCi([ends(0, 0, 1, "Failed: Formatting and lint\n"), 2]);
	expect(run.calls).toEqual(["npm test -- --changed"]);
	expect(run.lastLines).toEqual(["0 unstable", "0 passed, 1 failed"]);
	expect(run.code).toBe(1);
});

test("a part that ends without its counts is a failure", async () => {
	const run = await runCi([ends(0, 10, 0), 0], ["Killed", 137]);
	expect(run.lastLines).toEqual(["0 unstable", "10 passed, 1 failed"]);
	expect(run.code).toBe(1);
});

test("a part whose exit status contradicts its counts is a failure", async () => {
	const run = await runCi([ends(0, 10, 0), 1]);
	expect(run.lastLines).toEqual(["0 unstable", "15 passed, 1 failed"]);
	expect(run.code).toBe(1);
});
