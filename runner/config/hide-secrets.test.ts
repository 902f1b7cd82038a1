import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { type Child, startChild } from "../../test/processes/child.ts";
import { processesWith, runnerEnv } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { root } from "../../test/stack.ts";
import { until } from "../../test/wait.ts";
import type { Finding } from "../doctor/finding.ts";
import { withoutSecrets } from "./hide-secrets.ts";

const scene = runnerScene();
let child: Child | null = null;

// SIGTERM to `unshare` would leave its children running.
afterEach(async () => {
	child?.process.kill("SIGKILL");
	await child?.exited;
	child = null;
});

const TOKEN = "tdr_in-the-command-line";
const PASSWORD = "password-in-the-command-line";

/** Runs a shell script with the secrets in variables, so that the shell's own command line has none. */
function start(command: string, args: string[], script: string): Child {
	const { dashboard, dataDir, display } = scene;
	dashboard.token = TOKEN;
	const { TAPEDECK_TOKEN: _token, ...env } = runnerEnv({ url: dashboard.url, dataDir, display: display.id });
	const SECRETS = `--token=${TOKEN} --grid-username user --grid-password ${PASSWORD}`;
	const given = { ...env, SECRETS, TOKEN } as NodeJS.ProcessEnv;
	child = startChild(command, [...args, "/bin/sh", "-c", script, dataDir], { env: given, cwd: root });
	return child;
}

const showing = async () => [...(await processesWith(TOKEN)), ...(await processesWith(PASSWORD))];

test("secrets given as flags appear in no command line of the runner and its children; signals and status work as usual", async () => {
	const runner = start("env", [], "exec bin/tapedeck runner $SECRETS");
	await runner.says("Runner ");
	expect(await showing()).toEqual([]);
	await runner.says("Connected to");
	const job = scene.interrupt();
	await scene.status(job, "recording");
	expect(await showing()).toEqual([]);
	for (const pid of await scene.ffmpegs()) {
		const environ = await readFile(`/proc/${pid}/environ`, "latin1");
		expect(environ).not.toContain(TOKEN);
		expect(environ).not.toContain(PASSWORD);
	}
	expect(runner.output()).not.toContain("process list");
	runner.process.kill("SIGTERM");
	expect(await runner.exited, runner.output()).toBe(0);
	expect(job.status).toBe("completed");
});

test("secrets given as flags appear in no command line when the runner is process 1 of a container", async () => {
	const isRoot = process.getuid?.() === 0;
	const flags = [...(isRoot ? [] : ["--user", "--map-root-user"]), "--pid", "--fork", "--mount-proc", "--kill-child"];
	const runner = start("unshare", flags, "exec bin/tapedeck runner $SECRETS");
	await runner.says("Connected to");
	expect(await showing()).toEqual([]);
});

test("under npm the secrets are hidden, and a warning with the remedy names npm, which still shows them", async () => {
	const runner = start("env", [], "exec npm run runner -- $SECRETS");
	await runner.says("Connected to");
	const [npm, ...others] = new Set(await showing());
	expect(others).toEqual([]);
	for (const [flag, variable] of [
		["--token", "TAPEDECK_TOKEN"],
		["--grid-password", "SE_GRID_PASSWORD"],
	]) {
		expect(runner.output()).toMatch(new RegExp(`warning: ${flag} .* npm \\(pid ${npm}\\); set ${variable}`));
	}
	runner.process.kill("SIGTERM");
	expect(await runner.exited, runner.output()).toBe(0);
});

test("the doctor hides its token from command lines and still checks that token", async () => {
	// A stand-in for ffmpeg that waits until it is released.
	const fifo = join(scene.folder, "fifo");
	const ffmpeg = join(scene.folder, "ffmpeg");
	await promisify(execFile)("mkfifo", [fifo]);
	await writeFile(ffmpeg, `#!/bin/sh\nread -r line <"${fifo}"\n`, { mode: 0o755 });
	const doctor = start("env", [], `exec bin/tapedeck doctor --json --ffmpeg "${ffmpeg}" --token "$TOKEN"`);
	await until(async () => (await processesWith(ffmpeg)).length > 1, "the doctor waits for its ffmpeg");
	expect(await showing()).toEqual([]);
	await writeFile(fifo, "go on\n");
	expect(await doctor.exited).toBe(1);
	const { findings } = JSON.parse(doctor.output()) as { findings: Finding[] };
	expect(findings.find(({ check }) => check === "token")).toMatchObject({ level: "ok" });
});

test.each([
	["runner --token a --name b", "runner --name b", { token: "a" }],
	["runner --token=a --grid-password=b", "runner", { token: "a", "grid-password": "b" }],
	["runner --token a --token b", "runner", { token: "b" }],
	["runner --name --token b", "runner --name --token b", {}],
	["runner --token", "runner --token", {}],
	["runner --token= --name b", "runner --token= --name b", {}],
	["runner -- --token a", "runner -- --token a", {}],
	["doctor --json --runner x --token -a --display :1", "doctor --json --runner x --display :1", { token: "-a" }],
])("%s: what is left of the words, and which secrets they hold", (words, rest, secrets) => {
	expect(withoutSecrets(words.split(" "))).toEqual({ rest: rest.split(" "), secrets });
});
