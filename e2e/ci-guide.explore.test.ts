/** The lines of docs/ci.md for GitLab CI and Jenkins, run with those systems' variables against a real dashboard. */
import { chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { actionsSteps } from "#components/runners/runner-commands.ts";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startChild } from "#test/processes/child.ts";
import { newFolder, nothingLeft, removeFolder } from "#test/runners/runner-process.ts";
import { root } from "#test/stack.ts";

const URL_OF_GUIDE = "https://tapedeck.example.com";
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let guide: string;
let api: TestApi;
let home: string;
beforeAll(async () => {
	guide = await readFile(join(root, "docs/ci.md"), "utf8");
	api = await startTestApi();
	home = await newFolder();
	// System packages are already installed, as for all tests. The tests of the job write a report and fail.
	const programs = {
		"apt-get": 'echo "apt-get $*" >> "$HOME/apt"',
		npm: `mkdir reports && echo '<testsuite><testcase name="pays" timestamp="'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"/></testsuite>' > reports/unit.xml
xdpyinfo > /dev/null && exit 4`,
	};
	for (const folder of ["programs", "gitlab", "jenkins"]) await mkdir(join(home, folder));
	for (const [name, text] of Object.entries(programs)) {
		await writeFile(join(home, "programs", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
	}
	if (isRoot) for (const path of ["", "gitlab", "jenkins"]) await chown(join(home, path), NOBODY, NOBODY);
});
afterAll(async () => {
	await api.stop();
	await nothingLeft(home);
	await removeFolder(home);
});

/** The code block of a language below a heading. */
function block(heading: string, language: string): string {
	const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
	return section.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
}

/** Runs lines in a new machine's shell. @returns status, output and the newest job. */
async function perform(shell: string[], lines: string[], folder: string, variables: Record<string, string>) {
	const path = [join(home, "programs"), join(home, ".local/bin"), dirname(process.execPath), "/usr/bin:/bin"].join(":");
	const env = {
		PATH: path,
		HOME: home,
		TAPEDECK_TOKEN: TEST_RUNNER_TOKEN,
		// Apart from the runners of other tests on this machine.
		TAPEDECK_RUNNER_NAME: `${folder} ${process.pid}`,
		...variables,
	} as Record<string, string> as NodeJS.ProcessEnv;
	const [program = "sh", ...flags] = shell;
	const child = startChild(program, [...flags, lines.join("\n")], {
		cwd: join(home, folder),
		env,
		...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
	});
	const status = await child.exited;
	const { body } = await api.call("GET", "/v1/jobs?limit=1");
	return { status, output: child.output(), job: body.data[0] };
}

test("the dashboard shows the same step for GitHub Actions as the guide", () => {
	expect(block("GitHub Actions", "yaml")).toBe(actionsSteps({ url: URL_OF_GUIDE }));
});

test("GitLab CI: the lines install the runner, and record with the pipeline's labels and the tests' outcome", async () => {
	const { test: job } = parse(block("GitLab CI", "yaml"));
	expect(job.variables.TAPEDECK_URL).toBe(URL_OF_GUIDE);
	const {
		status,
		output,
		job: recorded,
	} = await perform(["bash", "-eo", "pipefail", "-c"], [...job.before_script, ...job.script], "gitlab", {
		TAPEDECK_URL: api.url,
		GITLAB_CI: "true",
		CI_PROJECT_NAME: "shop",
		CI_JOB_NAME: "test",
		CI_PROJECT_PATH: "acme/shop",
		CI_PIPELINE_NAME: "nightly",
		CI_PIPELINE_IID: "12",
		CI_COMMIT_REF_NAME: "main",
		CI_COMMIT_SHA: "c0ffee",
		CI_JOB_URL: "https://gitlab.example.com/shop/-/jobs/9",
	});
	expect(status, output).toBe(4);
	expect(await readFile(join(home, "apt"), "utf8")).toBe("apt-get update\napt-get install -y ffmpeg xvfb\n");
	const labels = {
		build: "acme/shop nightly #12",
		repository: "acme/shop",
		workflow: "nightly",
		branch: "main",
		commit: "c0ffee",
		"ci.url": "https://gitlab.example.com/shop/-/jobs/9",
	};
	expect(recorded).toMatchObject({ name: "shop / test", status: "completed", outcome: "failed", labels });
	expect(recorded.recording.state).toBe("ready");
	expect(output).toContain(`${api.url}/jobs/${recorded.id}`);
});

test("Jenkins: the lines install the runner, and record with the build's labels and the tests' outcome", async () => {
	const pipeline = block("Jenkins", "groovy");
	expect(pipeline).toContain(`TAPEDECK_URL = '${URL_OF_GUIDE}'`);
	const lines = [...pipeline.matchAll(/^ *sh '(.*)'$/gm)].map(([, line]) => line ?? "");
	const {
		status,
		output,
		job: recorded,
	} = await perform(["sh", "-xec"], lines, "jenkins", {
		TAPEDECK_URL: api.url,
		JENKINS_URL: "https://jenkins.example.com/",
		JOB_NAME: "shop/main",
		BUILD_NUMBER: "34",
		BRANCH_NAME: "main",
		GIT_COMMIT: "decaf",
		GIT_URL: "https://git.example.com/acme/shop.git",
		BUILD_URL: "https://jenkins.example.com/job/shop/34/",
	});
	expect(status, output).toBe(4);
	const labels = {
		build: "shop/main #34",
		repository: "acme/shop",
		workflow: "shop",
		branch: "main",
		commit: "decaf",
		"ci.url": "https://jenkins.example.com/job/shop/34/",
	};
	expect(recorded).toMatchObject({ name: "shop/main", status: "completed", outcome: "failed", labels });
	expect(recorded.recording.state).toBe("ready");
});
