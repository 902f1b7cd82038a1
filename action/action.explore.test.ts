/** The action, with its steps run as GitHub runs them: against a real dashboard with its installer, and real displays. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { newFolder, nothingLeft, probe, processesWith, removeFolder, spooled } from "#test/runners/runner-process.ts";
import { root } from "#test/stack.ts";
import { until } from "#test/wait.ts";

/** GitHub evaluates it again for each step: while the post step runs, the job has ended. */
const JOB_STATUS = `$${"{{ job.status }}"}`;

interface ActionFile {
	inputs: Record<string, { default?: string }>;
	outputs: Record<string, unknown>;
	runs: { using: string; main: string; post: string; "post-if": string };
}

interface Step {
	status: number | string;
	/** The log as GitHub receives it, with workflow commands. */
	log: string;
	/** The annotations that it would show as warnings. */
	warnings: string[];
	summary: string;
}

let action: ActionFile;
let api: TestApi;
let display: VirtualDisplay;
/** An address at which nothing listens. */
let nowhere: string;
/** The folders of all jobs, and of their machines. */
const folders: string[] = [];

beforeAll(async () => {
	action = parse(await readFile(join(root, "action.yml"), "utf8"));
	[api, display] = await Promise.all([startTestApi(), startXvfb()]);
	nowhere = `http://127.0.0.1:${await freePort()}`;
	await display.move();
});
afterAll(async () => {
	await Promise.all([api.stop(), display.stop()]);
	for (const folder of folders) {
		await nothingLeft(folder);
		await removeFolder(folder);
	}
});

/** GitHub's meaning of `name<<end … end` in a file that a step has written. */
const valuesOf = (text: string): Record<string, string> =>
	Object.fromEntries([...text.matchAll(/^(.+?)<<(.+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]));

/** A job with the action as its first step, on a machine of its own. Its inputs are those of every workflow, and these. */
async function githubJob(own: Record<string, string>, variables: Record<string, string> = {}) {
	const job = await newFolder();
	folders.push(job);
	for (const folder of ["home", "temp", "workspace"]) await mkdir(join(job, folder));
	// The name keeps its runner apart from those of other tests.
	const inputs: Record<string, string> = { url: api.url, token: TEST_RUNNER_TOKEN, "runner-name": job, ...own };
	let env: Record<string, string> = {};
	let path = process.env.PATH ?? "";
	let state: Record<string, string> = {};
	let outputs: Record<string, string> = {};

	async function step(program: string, jobStatus: string): Promise<Step> {
		const files = Object.fromEntries(
			["ENV", "OUTPUT", "PATH", "STATE", "STEP_SUMMARY"].map((name) => [`GITHUB_${name}`, join(job, name)]),
		);
		for (const file of Object.values(files)) await writeFile(file, "");
		const given = Object.entries(action.inputs).map(([name, { default: text = "" }]) => {
			const value = inputs[name] ?? text.replace(JOB_STATUS, jobStatus);
			return [`INPUT_${name.toUpperCase()}`, value];
		});
		const saved = Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]);
		const child = startChild(process.execPath, [join(root, program)], {
			cwd: join(job, "workspace"),
			env: {
				PATH: path,
				HOME: join(job, "home"),
				TMPDIR: join(job, "temp"),
				TAPEDECK_DATA_DIR: join(job, "data"),
				RUNNER_TEMP: join(job, "temp"),
				RUNNER_TOOL_CACHE: join(job, "tools"),
				GITHUB_ACTIONS: "true",
				GITHUB_WORKFLOW: "CI",
				GITHUB_JOB: "test",
				GITHUB_RUN_NUMBER: "7",
				GITHUB_REF_NAME: "main",
				GITHUB_SHA: "c0ffee",
				...variables,
				...env,
				...files,
				...Object.fromEntries(given),
				...Object.fromEntries(saved),
			} as Record<string, string> as NodeJS.ProcessEnv,
		});
		const status = await child.exited;
		const written = async (name: string) => readFile(join(job, name), "utf8");
		env = { ...env, ...valuesOf(await written("ENV")) };
		state = { ...state, ...valuesOf(await written("STATE")) };
		outputs = { ...outputs, ...valuesOf(await written("OUTPUT")) };
		path = [...(await written("PATH")).split("\n").filter((line) => line !== ""), path].join(":");
		const log = child.output();
		const warnings = log.match(/^::warning .*$/gm) ?? [];
		return { status, log, warnings, summary: await written("STEP_SUMMARY") };
	}

	return {
		folder: job,
		dataDir: join(job, "data"),
		begin: () => step(action.runs.main, "success"),
		end: (jobStatus: "success" | "failure" | "cancelled") => step(action.runs.post, jobStatus),
		/** Variables that later steps have, PATH among them. */
		env: () => ({ ...env, PATH: path }) as Record<string, string>,
		outputs: () => outputs,
	};
}

/** @returns what a step has printed for people: without the commands that GitHub does not show. */
const shown = ({ log }: Step) => log.replaceAll(/^::add-mask::.*$/gm, "");

async function jobAt(url: string | undefined): Promise<Job> {
	const { pathname } = new URL(url ?? "");
	return (await api.call("GET", `/v1${pathname}`)).body;
}

async function videoOf({ recording }: Job) {
	const { body } = await api.call("GET", `/v1/recordings/${recording?.id}/url`);
	return probe(Buffer.from(await (await fetch(new URL(body.url, api.url))).arrayBuffer()));
}

test("GitHub runs both steps with Node 24, the second one always, and says in it how the job ended", () => {
	expect(action.runs).toEqual({
		using: "node24",
		main: "action/begin.mjs",
		post: "action/end.mjs",
		"post-if": "always()",
	});
	expect(action.inputs["job-status"]?.default).toBe(JOB_STATUS);
});

test.concurrent("a job that fails: its display is recorded from the step on, and plays with outcome, labels and failed tests", async () => {
	const github = await githubJob({
		"api-key": TEST_API_KEY,
		"new-display": "640x480",
		labels: "suite=checkout\nbrowser=firefox\n",
		junit: "reports/*.xml\n",
		comment: "true",
	});
	const begun = await github.begin();
	expect([begun.status, begun.warnings], begun.log).toEqual([0, []]);
	const { url, display: recorded } = github.outputs();
	expect(Object.keys(github.outputs()).sort()).toEqual(Object.keys(action.outputs).sort());
	expect(await jobAt(url)).toMatchObject({ status: "recording", displayId: recorded, name: "CI / test" });
	const workspace = join(github.folder, "workspace");
	// Later steps have the display, the job and the command, whichever Node is on their path. Markers need no API key.
	const env: Record<string, string> = github.env();
	expect(env).toMatchObject({ DISPLAY: recorded, TAPEDECK_JOB_URL: url, TAPEDECK_URL: api.url });
	const later = { ...env, PATH: `${env.PATH?.split(":")[0]}:/usr/bin:/bin` };
	await promisify(execFile)("tapedeck", ["mark", "Pay is clicked"], { env: later as unknown as NodeJS.ProcessEnv });
	await mkdir(join(workspace, "reports"));
	const report = `<testsuite timestamp="${new Date().toISOString()}"><testcase name="pays"><failure/></testcase></testsuite>`;
	await writeFile(join(workspace, "reports/unit.xml"), report);

	const ended = await github.end("failure");
	expect([ended.status, ended.warnings], ended.log).toEqual([0, []]);
	const done = await jobAt(url);
	expect(done).toMatchObject({
		status: "completed",
		outcome: "failed",
		recording: { state: "ready" },
		labels: { suite: "checkout", browser: "firefox", build: "CI #7", branch: "main", commit: "c0ffee" },
	});
	expect(await videoOf(done)).toMatchObject({ width: 640, height: 480, faults: "" });
	expect(ended.summary).toContain(`[CI / test](${url}) | failed |`);
	expect(ended.summary).toMatch(/<img src="http[^"]+"/);
	expect(ended.summary).toContain(`- [pays](${url}?result=`);
	// The build's other jobs are in its comment as well.
	expect(ended.summary).toMatch(/^### `CI #7`: \d+ new failures?$/m);
	expect(ended.log).toMatch(/^::error .*title=pays::/m);
	expect(ended.log).toContain("Nothing was commented: this is no pull request and no merge request.");
	const { body } = await api.call("GET", `/v1/recordings/${done.recording?.id}/markers`);
	expect(body.data.map(({ label }: { label: string }) => label).sort()).toEqual(["Pay is clicked", "pays"]);

	for (const secret of [TEST_API_KEY, TEST_RUNNER_TOKEN]) {
		expect(begun.log).toContain(`::add-mask::${secret}\n`);
		for (const step of [begun, ended]) expect(shown(step)).not.toContain(secret);
		const found = promisify(execFile)("grep", ["-rl", secret, github.folder]);
		// grep's 1: it is in no file that the job leaves on the machine.
		await expect(found).rejects.toMatchObject({ code: 1 });
	}
	expect(await readdir(join(github.folder, "temp"))).toEqual([]);
});

test.concurrent.for([
	["success", "passed"],
	["cancelled", "error"],
] as const)("a job that ends with %s, on a display of its own, has the outcome %s", async ([status, outcome]) => {
	const github = await githubJob({ name: status, keep: "failed" }, { DISPLAY: display.id });
	const begun = await github.begin();
	expect([begun.status, begun.warnings, github.outputs().display], begun.log).toEqual([0, [], display.id]);
	const ended = await github.end(status);
	expect([ended.status, ended.warnings], ended.log).toEqual([0, []]);
	expect(ended.log).toContain(`Outcome: ${outcome}\n`);
	const done = await jobAt(github.outputs().url);
	expect(done).toMatchObject({ name: status, status: "completed", keep: "failed", outcome });
});

test.concurrent("without a dashboard, the job has its display and one warning", async () => {
	const size = "322x242";
	const github = await githubJob({ url: nowhere, "new-display": size });
	const begun = await github.begin();
	expect([begun.status, begun.warnings], begun.log).toEqual([
		0,
		[
			expect.stringMatching(
				/127\.0\.0\.1:\d+\/install\.sh cannot be downloaded: .*ECONNREFUSED.*\. The job runs without a recording\.$/,
			),
		],
	]);
	// For the job's own programs, and nobody else's.
	const { DISPLAY = "", XAUTHORITY = "" } = github.env();
	const info = (authority: string) =>
		promisify(execFile)("xdpyinfo", ["-display", DISPLAY], { env: { ...process.env, XAUTHORITY: authority } });
	await info(XAUTHORITY);
	await expect(info("/dev/null")).rejects.toThrow(/uthorization/);
	// Some programs know no other entry than this machine's.
	const first = (await readFile(XAUTHORITY)).toString("latin1");
	expect(first.slice(0, 4 + hostname().length)).toBe(
		`\x01\x00\x00${String.fromCharCode(hostname().length)}${hostname()}`,
	);
	expect(github.outputs().url).toBe("");
	const ended = await github.end("success");
	expect([ended.status, ended.warnings], ended.log).toEqual([0, []]);
	expect(await processesWith(`${size}x24`)).toEqual([]);
});

test.concurrent("without a dashboard, on a machine that has recorded before, the recording waits in the spool", async () => {
	const github = await githubJob({ url: nowhere }, { DISPLAY: display.id });
	const tools = join(github.folder, "tools/tapedeck-runner");
	const install = `curl -fsSL ${api.url}/install.sh | sh -s -- --service none --dir ${tools} --commands ${tools}/commands`;
	const env = { ...process.env, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN };
	await promisify(execFile)("sh", ["-c", install], { env });
	const begun = await github.begin();
	expect([begun.status, begun.warnings], begun.log).toEqual([0, []]);
	const ended = await github.end("failure");
	expect([ended.status, ended.warnings], ended.log).toEqual([
		0,
		[expect.stringMatching(/not uploaded yet: .* uploaded when the dashboard can be reached/)],
	]);
	expect(await spooled(github.dataDir)).toHaveLength(1);
	// The runner tries to upload it until the last moment. Its watchdog waits there for the next one.
	const runner = `--data-dir\0${github.dataDir}`;
	await until(async () => (await processesWith(runner)).length === 0, "the runner has ended", 30_000);
	await removeFolder(github.dataDir);
});

test.concurrent.for([
	["", /^::warning title=Tapedeck::Without token, .* pull requests from forks\.$/],
	["tdr_revoked-0123456789abcdef", /refuses this runner token\..* The job runs without a recording\.$/],
] as const)("without a token, as in a fork's pull request, or a refused one, the job has one warning: %o", async ([
	token,
	sentence,
]) => {
	const github = await githubJob({ token }, { DISPLAY: display.id });
	const begun = await github.begin();
	expect([begun.status, begun.warnings], begun.log).toEqual([0, [expect.stringMatching(sentence)]]);
	expect(github.env()).toMatchObject({ DISPLAY: display.id });
	expect(await github.end("success")).toMatchObject({ status: 0, warnings: [] });
});

test.concurrent.for([
	["github-hosted", ["update", "install -y --no-install-recommends ffmpeg xvfb"]],
	["self-hosted", []],
] as const)("on a machine that is %s, missing programs are installed with %o", async ([kind, installed]) => {
	const programs = await newFolder();
	folders.push(programs);
	for (const name of ["sh", "mv"]) await symlink(join("/usr/bin", name), join(programs, name));
	await writeFile(join(programs, "sudo"), '#!/bin/sh\nshift\n"$@"\n', { mode: 0o755 });
	await writeFile(join(programs, "apt-get"), `#!/bin/sh\nshift\necho "$*" >> ${programs}/installed\n`, { mode: 0o755 });
	const github = await githubJob({ url: nowhere }, { PATH: programs, RUNNER_ENVIRONMENT: kind });
	const begun = await github.begin();
	const text = await readFile(join(programs, "installed"), "utf8").catch(() => "");
	expect(
		text.split("\n").filter((line) => line !== ""),
		begun.log,
	).toEqual(installed);
	// The fake apt has installed nothing.
	expect(begun.status).toBe(1);
	expect(begun.log).toContain("::error title=Tapedeck::new-display needs Xvfb, which is not installed.\n");
});

test.concurrent.each([
	[{ url: "tapedeck.example.com" }, "url: Use the dashboard's base URL, such as https://tapedeck.example.com."],
	[{ display: ":1", "new-display": "640x480" }, "Use either display or new-display."],
	[{ "new-display": "large" }, "new-display: Use a size in pixels, such as 1920x1080."],
	[{ "junit-links": "yes" }, "junit-links: Use true or false."],
	[{ display: ":1", labels: "Suite" }, /^labels Suite: Use key=value/],
])("an input that is wrong fails the step with one sentence: %o", async (wrong, sentence) => {
	const github = await githubJob({ ...wrong });
	const begun = await github.begin();
	expect(begun.status).toBe(1);
	const errors = [...begun.log.matchAll(/^::error title=Tapedeck::(.*)$/gm)].map(([, text]) => text);
	expect(errors, begun.log).toEqual([typeof sentence === "string" ? sentence : expect.stringMatching(sentence)]);
	expect(await github.end("failure")).toMatchObject({ status: 0, warnings: [] });
});
