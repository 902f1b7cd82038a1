/** A release: built twice from clean clones, and installed and used from its archives alone. */
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { startXvfb } from "#test/displays/xvfb.ts";
import { startChild } from "#test/processes/child.ts";
import { root } from "#test/stack.ts";
import { helm } from "../bin/setup/external-programs.mjs";
import { renderChart } from "../deploy/rendered-manifests.ts";
import { projectVersion } from "./versions.ts";

const run = promisify(execFile);
const version = projectVersion(root);

let folder: string;
let dists: string[];
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-release-"));
	const commit = (await run("git", ["rev-parse", "HEAD"], { cwd: root })).stdout.trim();
	dists = [await release("first", commit), await release("in-another-folder", commit)];
}, 1_800_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds a release of a commit in a clone, which installs its packages itself. @returns its folder. */
async function release(name: string, commit: string): Promise<string> {
	const clone = join(folder, name);
	await run("git", ["clone", "--quiet", root, clone]);
	await run("git", ["checkout", "--quiet", "--detach", commit], { cwd: clone });
	await run("git", ["tag", "--force", `v${version}`], { cwd: clone });
	await run("npm", ["run", "release"], { cwd: clone });
	return join(clone, "dist");
}

const sums = (dist: string) => readFile(join(dist, "SHA256SUMS"), "utf8");

test("two releases of a commit have the same checksums, which are those of the files", async () => {
	const [first = "", second = ""] = dists;
	expect(await sums(first)).toBe(await sums(second));
	await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: first });
	const files = (await readdir(first, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
	expect((await sums(first)).trimEnd().split("\n")).toHaveLength(files.length - 1);
});

test("each archive has an SBOM that names its digest", async () => {
	const [dist = ""] = dists;
	const lines = (await sums(dist)).trimEnd().split("\n");
	const archives = lines.filter((line) => /\.(tgz|whl|tar\.gz)$/.test(line));
	expect(archives.length).toBeGreaterThanOrEqual(6);
	for (const line of archives) {
		const [digest, file] = line.split("  ");
		const { metadata } = JSON.parse(await readFile(join(dist, `${file}.cdx.json`), "utf8"));
		expect(metadata.component).toMatchObject({ version, hashes: [{ content: digest }] });
	}
});

test("Helm renders the chart's archive as it renders the chart", async () => {
	const archive = join(dists[0] ?? "", "helm", `tapedeck-${version}.tgz`);
	expect((await run(helm, ["template", "tapedeck", archive])).stdout).toBe(await renderChart());
});

test("from its package alone, the command starts a runner, records a display and reports a failed test", async () => {
	const api = await startTestApi();
	onTestFinished(() => api.stop());
	const display = await startXvfb();
	onTestFinished(() => display.stop());
	await display.move();
	const empty = await mkdtemp(join(folder, "empty-"));
	const archive = `tapedeck-${version}.tgz`;
	await writeFile(join(empty, "package.json"), "{}");
	await copyFile(join(dists[0] ?? "", "npm", archive), join(empty, archive));
	await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], { cwd: empty });
	const program = join(empty, "node_modules", ".bin", "tapedeck");
	expect((await run(program, ["--version"])).stdout).toBe(`${version}\n`);

	const report = '<testsuite><testcase name="pays" time="1"><failure message="no total"/></testcase></testsuite>';
	await writeFile(join(empty, "report.txt"), report);
	const inherited = Object.entries(process.env).filter(([name]) => !/^(TAPEDECK_|SERVICE_|DISPLAY$)/.test(name));
	const env = {
		...Object.fromEntries(inherited),
		...{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_API_KEY: TEST_API_KEY },
		DISPLAY: display.id,
	} as unknown as NodeJS.ProcessEnv;
	const words = ["run", "--data-dir", join(empty, "data"), "--junit", "*.xml", "--name", "From the package"];
	const command = startChild(program, [...words, "--", "sh", "-c", "sleep 2; cp report.txt report.xml; exit 3"], {
		cwd: empty,
		env,
	});
	onTestFinished(() => void command.stop());
	expect([await command.exited, command.output()]).toEqual([3, expect.stringContaining("pays")]);

	const [job] = (await api.call("GET", "/v1/jobs")).body.data;
	const ended = await api.call("GET", `/v1/jobs/${job.id}?waitFor=playable&timeoutSeconds=60`);
	expect(ended.body).toMatchObject({ name: "From the package", status: "completed", outcome: "failed" });
	expect(ended.body.recording.durationSeconds).toBeGreaterThan(1);
	const tests = await api.call("GET", `/v1/tests?jobId=${job.id}`);
	expect(tests.body.data).toMatchObject([{ test: "pays", outcome: "failed" }]);
});
