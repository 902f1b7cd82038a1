import { readdir, readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { inExplore } from "../../test/in-explore.ts";
import { type Child, startChild } from "../../test/processes/child.ts";
import { probe, processesWith, runnerEnv, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { root } from "../../test/stack.ts";
import { pause, until } from "../../test/wait.ts";

const scene = runnerScene();
const { interrupt, duration, status } = scene;
let runner: Child;

// SIGTERM to `unshare` would leave its children running.
afterEach(async () => {
	runner.process.kill("SIGKILL");
	await runner.exited;
});

/** Like `docker run` without `--init`: the command is process 1 of its own PID namespace. */
function startAsFirst(script: string): void {
	const isRoot = process.getuid?.() === 0;
	const flags = [...(isRoot ? [] : ["--user", "--map-root-user"]), "--pid", "--fork", "--mount-proc", "--kill-child"];
	// The directory is also in the command line, so that leftover processes can be found.
	const { dashboard, dataDir, display } = scene;
	const env = runnerEnv({ url: dashboard.url, dataDir, display: display.id });
	runner = startChild("unshare", [...flags, "/bin/sh", "-c", script, dataDir], { env, cwd: root });
}

interface Row {
	pid: number;
	name: string;
	parent: number;
	state: string;
}

async function processes(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const name of await readdir("/proc")) {
		const line = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, "latin1").catch(() => "") : "";
		const [state = "", parent = ""] = line.slice(line.lastIndexOf(")") + 2).split(" ");
		const program = line.slice(line.indexOf("(") + 1, line.lastIndexOf(")"));
		if (line !== "") rows.push({ pid: Number(name), name: program, parent: Number(parent), state });
	}
	return rows;
}

/** Process 1 of the namespace, seen from outside. */
async function first(): Promise<number> {
	const found = (await processes()).find(({ parent }) => parent === runner.process.pid);
	if (found === undefined) throw new Error("The namespace has no process.");
	return found.pid;
}

/** All descendants of a process, including zombies. */
async function below(pid: number): Promise<Row[]> {
	const rows = await processes();
	const family = (parent: number): Row[] =>
		rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...family(row.pid)]);
	return family(pid);
}

test("as process 1 of a container, the runner ends and delivers recordings on SIGTERM and exits 0 within 8 s", async () => {
	startAsFirst("exec bin/tapedeck runner");
	await runner.says("Connected to");
	const job = interrupt();
	await status(job, "recording");
	// There is no watchdog: it could not outlive the runner.
	expect(await processesWith(`watchdog.sh\0${scene.dataDir}`)).toEqual([]);
	const askedAt = performance.now();
	process.kill(await first(), "SIGTERM");
	expect(await runner.exited, runner.output()).toBe(0);
	expect(performance.now() - askedAt).toBeLessThan(8_000);
	expect(job.status).toBe("completed");
	const video = await probe(await scene.dashboard.video(job));
	expect(video.faults).toBe("");
	expect(video.frames).toBeGreaterThan(0);
	expect(await spooled(scene.dataDir)).toEqual([]);
});

inExplore(test)("as process 1 of a container, the runner leaves no orphans or ended ffmpegs as zombies", async () => {
	startAsFirst("for i in 1 2 3; do (sleep 300 &); done; sleep 300 & exec bin/tapedeck runner");
	await runner.says("Connected to");
	const pid = await first();
	// Three orphans, and a child of the shell that became the runner.
	const sleepers = (await below(pid)).filter((row) => row.name === "sleep");
	expect(sleepers).toHaveLength(4);
	for (const sleeper of sleepers) process.kill(sleeper.pid, "SIGTERM");
	const jobs = [1, 2, 3].map(() => duration(1));
	await until(() => jobs.every(({ status }) => status === "completed"), "the jobs end");
	// Only the runner itself remains, and no zombies.
	await until(async () => (await below(pid)).length === 1, "all others are gone");
	expect((await below(pid)).map(({ state }) => state)).not.toContain("Z");
});

inExplore(test)(
	"as process 1 of a container, the runner exits at once on a second SIGTERM and keeps what is undelivered",
	async () => {
		startAsFirst("exec bin/tapedeck runner");
		await runner.says("Connected to");
		const job = interrupt();
		await status(job, "recording");
		await scene.dashboard.goDown();
		const pid = await first();
		process.kill(pid, "SIGTERM");
		await runner.says("send it again to exit at once");
		// Two signals within a second count as one: a terminal and a package manager both forward them.
		await pause(1_200);
		process.kill(pid, "SIGTERM");
		expect(await runner.exited, runner.output()).toBe(1);
		expect(runner.output()).toContain("SIGTERM again: exiting at once.");
		expect(await spooled(scene.dataDir)).toHaveLength(1);
	},
);
