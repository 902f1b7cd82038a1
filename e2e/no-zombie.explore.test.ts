/** Two hundred quick jobs leave nothing behind: no process, no file, no handle. */
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { newFolder, removeFolder } from "#test/runners/runner-process.ts";
import { until } from "#test/wait.ts";

const BATCHES = 10;
/** The jobs of each batch: jobs of one second, jobs cancelled at once, and jobs cancelled while they record. */
const [SHORT, CANCELLED_AT_ONCE, CANCELLED_LATER] = [8, 6, 6];
const JOBS = BATCHES * (SHORT + CANCELLED_AT_ONCE + CANCELLED_LATER);
/** Connections come and go by one or two; a leak shows by the hundred. */
const SPARE_HANDLES = 8;

let scene: Scene;
let runner: SceneRunner;
let temporary: string;

beforeAll(async () => {
	scene = await openScene();
	temporary = await newFolder();
	await mkdir(join(temporary, "tmp"));
	runner = await scene.addRunner("quick", { env: { TMPDIR: join(temporary, "tmp") } });
});
afterAll(async () => {
	await scene?.stop();
	await removeFolder(temporary);
});

const handlesOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

/** Child processes with their state and name; zombies have the state Z. */
async function childrenOf(parent: number): Promise<string[]> {
	const found: string[] = [];
	for (const name of await readdir("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
		const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (Number(ppid) === parent) found.push(`${state} ${stat.slice(0, stat.lastIndexOf(")") + 1)}`);
	}
	return found;
}

const end = (id: number): Promise<Job> => scene.dashboard.api.waitFor(id, "ended");

async function batch(): Promise<Job[]> {
	const { api } = scene.dashboard;
	const short = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 1 } } as const;
	const jobs = [
		...Array.from({ length: SHORT }, () => runner.order(short)),
		...Array.from({ length: CANCELLED_AT_ONCE }, async () => (await api.cancelJob(await runner.order(interrupt))).id),
		...Array.from({ length: CANCELLED_LATER }, async () => {
			const id = await runner.order(interrupt);
			await api.waitFor(id, "recording");
			return (await api.cancelJob(id)).id;
		}),
	];
	return Promise.all(jobs.map(async (id) => end(await id)));
}

/**
 * Runs batches until the threads that read and checkpoint the database have started, because they keep handles open
 * permanently.
 */
async function warmUp(): Promise<Job[]> {
	const { api, dataDir } = scene.dashboard;
	await Promise.all([api.call("GET", "/v1/jobs?q=abc"), api.call("GET", "/v1/jobs?q=abc")]);
	// Nothing but a checkpoint writes to the database's own file.
	const written = async () => (await stat(join(dataDir, "tapedeck.db"))).mtimeMs;
	const before = await written();
	const ended = [];
	do ended.push(...(await batch()));
	while ((await written()) === before);
	return ended;
}

test("after 200 quick jobs there is no encoder, no zombie, no temporary file, no open handle, and the spool is empty", async () => {
	const [agent, dashboard] = [Number(runner.child().process.pid), scene.dashboard.pid()];
	const warmedUp = await warmUp();
	await until(async () => (await runner.encoders()).length === 0, "no encoder runs");
	const before = { agent: await handlesOf(agent), dashboard: await handlesOf(dashboard) };
	const files = await readdir(runner.dataDir);
	const measured: Job[] = [];
	for (let count = 0; count < BATCHES; count++) measured.push(...(await batch()));

	expect(measured).toHaveLength(JOBS);
	const ended = [...warmedUp, ...measured];
	const ends = ended.map(({ status, stopReason }) => `${status} ${stopReason}`);
	const right = ["cancelled cancelled", "completed cancelled", "completed duration_elapsed"];
	expect(ends.filter((how) => !right.includes(how))).toEqual([]);
	const whole = ended.filter(({ stopReason }) => stopReason === "duration_elapsed");
	expect(whole.length).toBeGreaterThanOrEqual(BATCHES * SHORT);
	expect(whole.filter(({ recording }) => recording?.durationSeconds !== 1)).toEqual([]);

	await until(async () => (await readdir(join(runner.dataDir, "jobs"))).length === 0, "the spool is empty");
	await until(async () => (await runner.encoders()).length === 0, "no encoder runs");
	const handles = async () => [
		(await handlesOf(agent)) - before.agent,
		(await handlesOf(dashboard)) - before.dashboard,
	];
	let grown: number[] = [];
	const fewer = async () => {
		grown = await handles();
		return grown.every((count) => count <= SPARE_HANDLES);
	};
	await until(fewer, () => `open handles grew by ${grown.join(" and ")}`, 15_000);
	expect((await childrenOf(agent)).filter((child) => child.startsWith("Z") || child.includes("ffmpeg"))).toEqual([]);
	expect((await childrenOf(dashboard)).filter((child) => child.startsWith("Z"))).toEqual([]);
	expect(await readdir(runner.dataDir)).toEqual(files);
	expect(await readdir(join(temporary, "tmp"))).toEqual([]);
	const videos = await readdir(join(scene.dashboard.dataDir, "videos"));
	const stored = ended.filter(({ recording }) => recording !== null).length;
	expect(videos.filter((name) => !name.includes("."))).toHaveLength(stored);
	expect(videos.filter((name) => /tmp|part|new/.test(name))).toEqual([]);
});
