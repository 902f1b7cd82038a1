/** Failures around the recording of a command: of `tapedeck run`, its runner, its output. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { startXvfb } from "../../test/displays/xvfb.ts";
import type { Child } from "../../test/processes/child.ts";
import { startCommand, TAPEDECK, tapedeck } from "../../test/processes/tapedeck-command.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { nothingLeft, probe, processesWith, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
/** Longer than any test waits. */
const FOR_EVER = "600";

const flags = () => ["--display", scene.display.id, "--data-dir", scene.dataDir];
/** Environment of `tapedeck run` on a machine without a runner. */
const credentials = () => ({ TAPEDECK_URL: scene.dashboard.url, TAPEDECK_TOKEN: scene.dashboard.token });
const onlyJob = (): FakeJob => {
	const [job] = scene.dashboard.jobs.values();
	if (job === undefined) throw new Error("There is no job.");
	return job;
};
const resultOf = (job: FakeJob) => job.reports.find((report) => report.type === "command_ended");
/** Processes that `tapedeck run` has started. */
const ownRunners = () => processesWith(`runner\0--data-dir\0${scene.dataDir}`);
const isRecording = () =>
	until(() => scene.dashboard.jobs.size > 0 && onlyJob().status === "recording", "the dashboard has the recording");

/** Kills `tapedeck run` as an out-of-memory killer does, and then its command, which is on its own. */
async function kill(run: Child): Promise<void> {
	const [, pid] = /^pid (\d+)$/m.exec(run.output()) ?? [];
	const gone = once(run.process, "exit");
	run.process.kill("SIGKILL");
	await gone;
	process.kill(Number(pid), "SIGKILL");
}

/** A command that says its pid and stays. */
const staying = ["sh", "-c", `echo "pid $$"; exec sleep ${FOR_EVER}`];

test("the runner of another command ends at the very moment it is asked: the command has a runner of its own", async () => {
	await mkdir(scene.dataDir, { recursive: true });
	const ending = createServer((connection) => {
		connection.once("data", () => {
			connection.destroy();
			ending.close();
		});
	});
	ending.listen(join(scene.dataDir, "control.sock"));
	await once(ending, "listening");
	const answer = await tapedeck(["run", ...flags(), "--", "true"], credentials());
	expect(answer.status, answer.text).toBe(0);
	expect(onlyJob(), answer.text).toMatchObject({ status: "completed", uploadComplete: true });
});

describe("tapedeck run is killed", () => {
	test("with the runner of this machine: its recording ends as error and plays, and the runner goes on", async () => {
		await scene.start();
		const run = startCommand(["run", ...flags(), "--", ...staying]);
		await run.says("pid ");
		await isRecording();
		await kill(run);
		await until(() => onlyJob().status === "completed", "the recording plays");
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "error", message: /killed/ });
		expect((await probe(await scene.dashboard.video(onlyJob()))).faults).toBe("");
		expect(scene.runner.process.exitCode).toBeNull();
		await scene.spoolEmpty();
	});

	test("with a runner and a display of its own: its recording ends as error and plays, and both are gone", async () => {
		const size = "656x496";
		const words = ["run", "--new-display", size, "--data-dir", scene.dataDir, "--", ...staying];
		const temporary = await mkdtemp(join(scene.folder, "tmp-"));
		const run = startCommand(words, { ...credentials(), TMPDIR: temporary });
		await run.says("pid ");
		await isRecording();
		expect(await processesWith(`${size}x24`)).not.toEqual([]);
		await kill(run);
		await until(() => onlyJob().status === "completed", "the recording plays");
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "error" });
		expect(scene.reasonOf(onlyJob())).toBe("cancelled");
		await until(async () => (await processesWith(scene.dataDir)).length === 0, "the runner is gone", 30_000);
		await until(async () => (await processesWith(`${size}x24`)).length === 0, "its display is gone", 30_000);
		await until(async () => (await readdir(temporary)).length === 0, "its authority is gone", 30_000);
		expect(await spooled(scene.dataDir)).toEqual([]);
	});

	test("while the dashboard is away: the recording waits in the spool with its outcome, and the runner is gone", async () => {
		await scene.dashboard.goDown();
		const run = startCommand(["run", ...flags(), "--", ...staying], credentials());
		await run.says("pid ");
		await kill(run);
		await until(async () => (await ownRunners()).length === 0, "the runner is gone", 150_000);
		expect(await spooled(scene.dataDir)).toHaveLength(1);
		await scene.dashboard.listen();
		const sent = await tapedeck(["spool", "send", "--data-dir", scene.dataDir], credentials());
		expect(sent.status, sent.text).toBe(0);
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "error" });
	});

	test("one of two that share a runner: the recording of the other goes on", async () => {
		const killed = startCommand(["run", ...flags(), "--name", "killed", "--", ...staying], credentials());
		await killed.says("pid ");
		await isRecording();
		const script = `echo began; until [ -e ${scene.folder}/go ]; do sleep 0.1; done; exit 3`;
		const other = startCommand(["run", ...flags(), "--name", "other", "--", "sh", "-c", script], credentials());
		await other.says("began");
		await kill(killed);
		await until(() => onlyJob().status === "completed", "the recording of the killed one plays");
		await writeFile(join(scene.folder, "go"), "");
		expect(await other.exited, other.output()).toBe(3);
		const job = [...scene.dashboard.jobs.values()].find(({ order }) => order.name === "other") as FakeJob;
		expect(job.status).toBe("completed");
		expect(resultOf(job)).toMatchObject({ outcome: "failed" });
		await until(async () => (await processesWith(scene.dataDir)).length === 0, "the runner is gone", 30_000);
	});
});

test("record --wait is killed: its recording ends, as after Ctrl-C", async () => {
	await scene.start();
	const record = startCommand(["record", ...flags(), "--wait"]);
	await record.says("Recording");
	await isRecording();
	record.process.kill("SIGKILL");
	await until(() => onlyJob().status === "completed", "the recording plays");
	expect(scene.reasonOf(onlyJob())).toBe("cancelled");
	expect(resultOf(onlyJob())).toBeUndefined();
});

test("the runner of this machine restarts: the command still owns its recording, and its status is the outcome", async () => {
	await scene.start();
	const script = `echo began; until [ -e ${scene.folder}/go ]; do sleep 0.1; done`;
	const run = startCommand(["run", ...flags(), "--", "sh", "-c", script]);
	await run.says("began");
	await isRecording();
	await scene.kill();
	// As the killed one listed it.
	scene.dashboard.listed = [];
	await scene.start();
	await until(() => scene.dashboard.listed.includes(onlyJob().order.id), "the runner has taken it over");
	await writeFile(join(scene.folder, "go"), "");
	expect(await run.exited, run.output()).toBe(0);
	expect(onlyJob().status).toBe("completed");
	expect(resultOf(onlyJob())).toMatchObject({ outcome: "passed" });
});

test("its own runner is killed: another one goes on with the recording", async () => {
	const script = `echo began; until [ -e ${scene.folder}/go ]; do sleep 0.1; done; exit 4`;
	const run = startCommand(["run", ...flags(), "--", "sh", "-c", script], credentials());
	await run.says("began");
	await isRecording();
	const { signIns } = scene.dashboard;
	for (const pid of await ownRunners()) process.kill(pid, "SIGKILL");
	await until(() => scene.dashboard.signIns > signIns, "another runner has signed in");
	await writeFile(join(scene.folder, "go"), "");
	expect(await run.exited, run.output()).toBe(4);
	expect(onlyJob().status).toBe("completed");
	expect(resultOf(onlyJob())).toMatchObject({ outcome: "failed" });
	await nothingLeft(scene.dataDir);
});

test("the recording reaches its cap before the command ends: the command's status is still the outcome", async () => {
	await scene.start();
	const script = `until [ -e ${scene.folder}/go ]; do sleep 0.1; done; exit 1`;
	const run = startCommand(["run", ...flags(), "--max", "1s", "--", "sh", "-c", script]);
	await until(() => scene.dashboard.jobs.size === 1 && onlyJob().status === "completed", "the recording has ended");
	expect(scene.dashboard.autoJobs[0]).toMatchObject({ outcomeExpected: true });
	await writeFile(join(scene.folder, "go"), "");
	expect(await run.exited, run.output()).toBe(1);
	expect(resultOf(onlyJob())).toMatchObject({ outcome: "failed" });
	expect(run.output()).toContain(`${scene.dashboard.url}/jobs/${onlyJob().order.id}`);
});

describe("a runner of its own", () => {
	test.for<[string, Record<string, string>, RegExp[]]>([
		["names a SOCKS proxy", { ALL_PROXY: "socks5h://127.0.0.1:1" }, [/ALL_PROXY .*socks5h.*not used/, /Recording \(/]],
		["names a certificate file that is missing", { NODE_EXTRA_CA_CERTS: "/nonexistent.pem" }, [/Recording \(/]],
		["has IPv6 in NO_PROXY", { http_proxy: "http://127.0.0.1:1", NO_PROXY: "::1,[::1],127.0.0.1" }, [/Recording \(/]],
		["names a proxy that is away", { http_proxy: "http://127.0.0.1:1" }, [/not uploaded yet/]],
	])("with an environment that %s, the command runs and keeps its status", async ([, env, lines]) => {
		const words = ["run", ...flags(), "--", "sh", "-c", "echo ran; exit 6"];
		const answer = await tapedeck(words, { ...credentials(), ...env });
		expect(answer.status, answer.text).toBe(6);
		expect(answer.text).toContain("ran\n");
		expect(answer.text.match(/^tapedeck: .*/gm)).toEqual(lines.map((line) => expect.stringMatching(line)));
		// Video that was not uploaded is not lost.
		await until(async () => (await ownRunners()).length === 0, "the runner has left");
		await tapedeck(["spool", "send", "--data-dir", scene.dataDir], credentials());
		expect(await spooled(scene.dataDir)).toEqual([]);
		expect(onlyJob()).toMatchObject({ status: "completed", uploadComplete: true });
	});

	test("offers the display of the command alone, and none when it has ended", async () => {
		const other = await startXvfb();
		try {
			const script = `echo began; until [ -e ${scene.folder}/go ]; do sleep 0.1; done`;
			const run = startCommand(["run", ...flags(), "--", "sh", "-c", script], { ...credentials(), DISPLAY: other.id });
			await run.says("began");
			await until(() => scene.dashboard.displays.length > 0, "the runner has reported its displays");
			expect(scene.dashboard.displays.map(({ id }) => id)).toEqual([scene.display.id]);
			// A second command shares the runner, and brings its display.
			const second = ["run", "--data-dir", scene.dataDir, "--", "sh", "-c", "sleep 2"];
			expect((await tapedeck(second, { ...credentials(), DISPLAY: other.id })).status).toBe(0);
			expect([...scene.dashboard.jobs.values()].map(({ order }) => order.displayId)).toEqual([
				scene.display.id,
				other.id,
			]);
			await until(() => scene.dashboard.displays.length === 1, "the second display is withdrawn");
			expect(scene.dashboard.displays.map(({ id }) => id)).toEqual([scene.display.id]);
			await writeFile(join(scene.folder, "go"), "");
			expect(await run.exited, run.output()).toBe(0);
		} finally {
			await other.stop();
		}
	});
});

describe("the command runs and its status counts, whatever goes wrong", () => {
	beforeEach(async () => {
		await scene.start();
	});

	test("a command that cannot be started for an unusual reason ends as in a shell, and its recording with it", async () => {
		const file = join(scene.folder, "a-file");
		await writeFile(file, "");
		const inFile = await tapedeck(["run", ...flags(), "--", join(file, "program")]);
		expect(inFile.status, inFile.text).toBe(126);
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "error" });
		expect(onlyJob().status).toBe("completed");
	});

	test("a reader of its output may stop: the status and the recording stay right", async () => {
		const shell = ['set -o pipefail; "$0" "$@" 2>&1 | head -n 1; echo "status $?"', TAPEDECK, "run", ...flags(), "--"];
		const script = 'trap "" PIPE; echo first; sleep 1; echo second 2>/dev/null; exit 9';
		const bash = spawn("bash", ["-c", ...shell, "sh", "-c", script], { stdio: ["ignore", "pipe", "ignore"] });
		let output = "";
		bash.stdout.on("data", (chunk: Buffer) => {
			output += chunk.toString();
		});
		await once(bash, "close");
		expect(output).toContain("status 9");
		expect(onlyJob().status).toBe("completed");
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "failed" });
	});

	test("a virtual display that cannot be started is one warning", async () => {
		const node = join(process.execPath, "..");
		const answer = await tapedeck(
			["run", "--new-display", "640x480", "--data-dir", scene.dataDir, "--", "/bin/sh", "-c", "echo ran; exit 5"],
			{ PATH: await withoutXvfb(node) },
		);
		expect(answer.status, answer.text).toBe(5);
		expect(answer.text.match(/^tapedeck: .*/gm)).toEqual([
			expect.stringMatching(/needs Xvfb, which is not installed.* The command runs without a recording\.$/),
		]);
		expect(answer.text).toContain("ran\n");
	});
});

/** @returns a PATH with the programs that the wrapper needs, and no Xvfb. */
async function withoutXvfb(node: string): Promise<string> {
	const { symlink } = await import("node:fs/promises");
	for (const name of ["sh", "readlink", "dirname", "cut"]) await symlink(`/usr/bin/${name}`, join(scene.folder, name));
	return `${scene.folder}:${node}`;
}
