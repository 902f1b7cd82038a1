/** The steps for GitHub Actions of docs/runner.md, run as GitHub Actions runs them, against a real dashboard. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { actionsSteps } from "#lib/client/runner-commands.ts";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startChild } from "#test/processes/child.ts";
import {
	nothingLeft,
	processesWith,
	removeFolder,
	startRunner,
	temporaryFolder,
} from "#test/runners/runner-process.ts";
import { root } from "#test/stack.ts";
import { until } from "#test/wait.ts";

interface Step {
	name: string;
	always: boolean;
	folder: string;
	env: Record<string, string>;
	script: string;
}

const recipe = async () =>
	/```yaml\n(- uses: actions\/checkout[\s\S]*?)```/.exec(await readFile(join(root, "docs/runner.md"), "utf8"))?.[1] ??
	"";

/** Parses the subset of YAML that the steps use. */
function stepsOf(yaml: string): Step[] {
	return yaml.split(/^- name: /m).flatMap((text, index) => {
		if (index === 0) return [];
		const [, block] = /^ {2}run: \|\n((?: {4}.*\n)+)/m.exec(text) ?? [];
		const [, line = ""] = /^ {2}run: (?!\|)(.*)$/m.exec(text) ?? [];
		const [, env = ""] = /^ {2}env:\n((?: {4}.*\n)+)/m.exec(text) ?? [];
		const variables = [...env.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]);
		return {
			name: text.split("\n")[0] ?? "",
			always: /^ {2}if: always\(\)$/m.test(text),
			folder: /^ {2}working-directory: (.*)$/m.exec(text)?.[1] ?? ".",
			env: Object.fromEntries(variables),
			script: block?.replaceAll(/^ {4}/gm, "") ?? line,
		};
	});
}

let workspace: string;
let state: string;
let programs: string;
let api: TestApi;
/** Environment and path that the steps set for later ones. */
let left: Record<string, string>;
const display = `:${20_000 + (process.pid % 20_000)}`;

beforeAll(async () => {
	workspace = await temporaryFolder();
	state = await temporaryFolder();
	programs = await temporaryFolder();
	for (const name of ["package.json", "package-lock.json", "bin", "lib", "runner"]) {
		await cp(join(root, name), join(workspace, "tapedeck", name), { recursive: true });
	}
	// System packages are already installed, as for all tests.
	await writeFile(join(programs, "sudo"), '#!/bin/sh\necho "sudo $*"\n', { mode: 0o755 });
	await mkdir(join(workspace, "home"));
	api = await startTestApi();
});
beforeEach(() => {
	left = {};
});
afterEach(async () => {
	for (const text of [join(workspace, "tapedeck", "runner"), `Xvfb\0${display}`]) {
		for (const pid of await processesWith(text)) {
			try {
				process.kill(pid, "SIGTERM");
			} catch {
				// It has already ended.
			}
		}
		await until(async () => (await processesWith(text)).length === 0, `${text} has ended`);
	}
});
afterAll(async () => {
	await api.stop();
	await nothingLeft(workspace);
	for (const folder of [workspace, state, programs]) await removeFolder(folder);
});

/** Runs one step in the shell of GitHub Actions. */
async function perform(step: Step): Promise<{ status: number | string; output: string }> {
	const values: Record<string, string> = {
		TAPEDECK_URL: api.url,
		TAPEDECK_TOKEN: TEST_RUNNER_TOKEN,
		DISPLAY: display,
	};
	const own = Object.fromEntries(
		Object.entries(step.env).map(([name, value]) => [name, values[name] ?? JSON.parse(value)]),
	);
	const script = join(workspace, "step.sh");
	const file = join(workspace, "github-env");
	await writeFile(script, step.script);
	await writeFile(file, "");
	const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
	const env = {
		PATH: [programs, ...path].join(delimiter),
		HOME: process.env.HOME,
		XDG_STATE_HOME: state,
		// npm's cache has the packages that were installed for the tests.
		npm_config_prefer_offline: "true",
		GITHUB_ENV: file,
		GITHUB_WORKFLOW: "The tests",
		GITHUB_RUN_NUMBER: "7",
		...left,
		...own,
	} as unknown as NodeJS.ProcessEnv;
	const log = join(workspace, "step.log");
	// Output goes to a file: processes that a step leaves running would hold a pipe open.
	const child = startChild("bash", ["-c", 'exec bash -e "$0" >"$1" 2>&1', script, log], {
		cwd: join(workspace, step.folder),
		env,
	});
	const status = await child.exited;
	for (const [, name = "", value = ""] of (await readFile(file, "utf8")).matchAll(/^(\w+)=(.*)$/gm)) left[name] = value;
	return { status, output: await readFile(log, "utf8") };
}

test("the dashboard shows the same steps as the docs", async () => {
	expect(await recipe()).toBe(actionsSteps({ url: "https://tapedeck.example.com", name: "ci" }));
});

test("the steps wait for the runner, record and deliver while another runner is on the machine", {
	timeout: 240_000,
}, async () => {
	const steps = stepsOf(await recipe());
	expect(steps.map(({ always }) => always)).toEqual([false, false, true]);
	const other = startRunner({
		url: api.url,
		dataDir: join(state, "other"),
		env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: "another", TAPEDECK_DISPLAY_ALLOW: ":58996" },
	});
	try {
		await other.says("Connected to");
		for (const step of steps) {
			const { status, output } = await perform(step);
			expect(status, `${step.name}:\n${output}`).toBe(0);
		}
		const { body } = await api.call("GET", "/v1/jobs");
		expect(body.data).toMatchObject([{ name: "The tests 7", status: "completed", displayId: display }]);
		const { body: recordings } = await api.call("GET", "/v1/recordings");
		expect(recordings.data).toMatchObject([{ jobId: body.data[0].id, state: "ready" }]);
		expect(recordings.data[0].durationSeconds).toBeGreaterThan(0);
	} finally {
		await other.stop();
	}
});

test("the steps fail when the recording ends before the tests", { timeout: 240_000 }, async () => {
	const [begin, record, end] = stepsOf(await recipe());
	if (!begin || !record || !end) throw new Error("The recipe has three steps with a script.");
	for (const step of [begin, record]) {
		const { status, output } = await perform(step);
		expect(status, `${step.name}:\n${output}`).toBe(0);
	}
	for (const pid of await processesWith(`Xvfb\0${display}`)) process.kill(pid, "SIGKILL");
	await until(
		async () => (await api.call("GET", "/v1/jobs?status=failed")).body.data.length === 1,
		"the job has failed",
	);
	expect((await perform(end)).status).toBe(1);
});
