/** Two hundred quick jobs leave nothing behind: no process, no file, no handle. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Job } from "#lib/contract/job.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { removeFolder, temporaryFolder } from "#test/runners/runner-process.ts";
import { until } from "#test/wait.ts";

const BATCHES = 10;
/** Of each batch: jobs of one second, jobs that are cancelled at once, and jobs that are cancelled while they record. */
const [SHORT, CANCELLED_AT_ONCE, CANCELLED_LATER] = [8, 6, 6];
const JOBS = BATCHES * (SHORT + CANCELLED_AT_ONCE + CANCELLED_LATER);
/**
 * The threads that read and checkpoint the database start when they are first needed, and hold about eight handles each;
 * connections come and go by one or two. A leak shows by the hundred.
 */
const SPARE_HANDLES = 3 * 8 + 8;

let scene: Scene;
let runner: SceneRunner;
let temporary: string;

beforeAll(async () => {
	scene = await openScene();
	temporary = await temporaryFolder();
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

test("after 200 quick jobs there is no encoder, no zombie, no temporary file, no open handle, and the spool is empty", async () => {
	const [agent, dashboard] = [Number(runner.child().process.pid), scene.dashboard.pid()];
	// The first batch fills pools and caches, and counts.
	const ended = await batch();
	await until(async () => (await runner.encoders()).length === 0, "no encoder runs");
	const before = { agent: await handlesOf(agent), dashboard: await handlesOf(dashboard) };
	const files = await readdir(runner.dataDir);
	for (let count = 1; count < BATCHES; count++) ended.push(...(await batch()));

	expect(ended).toHaveLength(JOBS);
	const ends = ended.map(({ status, stopReason }) => `${status} ${stopReason}`);
	const right = ["cancelled cancelled", "completed cancelled", "completed duration_elapsed"];
	expect(ends.filter((how) => !right.includes(how))).toEqual([]);
	const whole = ended.filter(({ stopReason }) => stopReason === "duration_elapsed");
	expect(whole.map(({ recording }) => recording?.durationSeconds)).toEqual(Array(BATCHES * SHORT).fill(1));

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
