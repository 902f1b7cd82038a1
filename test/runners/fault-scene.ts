/** A real dashboard and real runners on a small display with a moving picture, for tests of faults. */
import { execFile } from "node:child_process";
import { link, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CreateJobBody, Job } from "@tapedeck/contract/job.ts";
import type { JobStatus } from "@tapedeck/contract/job-status.ts";
import { startXvfb, type VirtualDisplay } from "../displays/xvfb.ts";
import type { Child } from "../processes/child.ts";
import { type Dashboard, startTestDashboard } from "../stack.ts";
import { until } from "../wait.ts";
import {
	newFolder,
	nothingLeft,
	type Probe,
	probe,
	processesWith,
	removeFolder,
	startRunner,
} from "./runner-process.ts";

export interface SceneRunner {
	readonly id: number;
	readonly name: string;
	readonly dataDir: string;
	/** The current process. */
	child(): Child;
	/** Starts it again after it has ended. @param at the address of another dashboard. */
	startAgain(at?: string): Promise<void>;
	kill(): Promise<void>;
	/** Pids of its encoders. */
	encoders(): Promise<number[]>;
	/** Creates a job on the scene's display. */
	order(rule: Pick<CreateJobBody, "stopCondition" | "stopConditionConfig">): Promise<number>;
	/** Links the first part of a job's video, so that it outlives the spool. @returns its path. */
	keepSpooled(jobId: number): Promise<string>;
}

export interface Scene {
	readonly dashboard: Dashboard;
	readonly display: VirtualDisplay;
	addRunner(name: string, options?: { url?: string; env?: Record<string, string> }): Promise<SceneRunner>;
	/** Waits until the job has the status, also while the dashboard is down. */
	status(id: number, wanted: JobStatus, timeoutMs?: number): Promise<Job>;
	/** Types of the job's events, in order. */
	history(id: number): Promise<string[]>;
	/** Fetches a job's video as the player does and decodes every frame. */
	video(job: Job): Promise<Probe>;
	stop(): Promise<void>;
}

export const interrupt = { stopCondition: "interrupt", stopConditionConfig: {} } as const;

/** @param variables more environment variables of the dashboard, such as TAPEDECK_DATABASE_URL. */
export async function openScene(variables: Record<string, string> = {}): Promise<Scene> {
	const dashboard = await startTestDashboard({ variables });
	const display = await startXvfb({ width: 320, height: 180 });
	const runners: { child(): Child; dataDir: string; folder: string }[] = [];
	const stop = async () => {
		for (const { child } of runners) await child().stop(10_000);
		try {
			for (const { dataDir } of runners) await nothingLeft(dataDir);
		} finally {
			// A test that failed may have left a runner dead and its encoder alive.
			const left = await Promise.all(runners.map(({ dataDir }) => processesWith(dataDir)));
			for (const pid of left.flat()) process.kill(pid, "SIGKILL");
			await display.stop();
			await dashboard.stop();
			for (const { folder } of runners) await removeFolder(folder);
		}
	};
	await display.move();
	return {
		dashboard,
		display,
		async addRunner(name, options = {}) {
			const folder = await newFolder();
			const runner = await runnerOf({ dashboard, display, folder, name, ...options });
			runners.push({ ...runner, folder });
			return runner;
		},
		async status(id, wanted, timeoutMs = 60_000) {
			let job: Job | null = null;
			const read = async () => {
				job = await dashboard.api.readJob(id).catch(() => null);
				return job?.status === wanted ? job : null;
			};
			return until(read, () => `job ${id} is ${wanted}, it is ${JSON.stringify(job)}`, timeoutMs);
		},
		history: async (id) => (await dashboard.api.events(id)).map(({ type }) => type),
		async video(job) {
			const headers = { authorization: `Bearer ${dashboard.apiKey}` };
			const answer = await fetch(`${dashboard.url}/v1/recordings/${job.recording?.id}/video`, { headers });
			if (!answer.ok) throw new Error(`The video of job ${job.id} answers ${answer.status}.`);
			return probe(Buffer.from(await answer.arrayBuffer()));
		},
		stop,
	};
}

interface RunnerPlan {
	dashboard: Dashboard;
	display: VirtualDisplay;
	folder: string;
	name: string;
	url?: string;
	env?: Record<string, string>;
}

async function runnerOf({ dashboard, display, folder, name, url, env }: RunnerPlan): Promise<SceneRunner> {
	const dataDir = join(folder, "runner");
	const start = (at = url ?? dashboard.url) =>
		startRunner({
			url: at,
			dataDir,
			env: { TAPEDECK_TOKEN: dashboard.runnerToken, TAPEDECK_RUNNER_NAME: name, ...env },
		});
	let child = start();
	await child.says("Connected to");
	const listed = await until(
		async () => (await dashboard.api.runners()).find((runner) => runner.name === name),
		`runner ${name} is listed`,
	);
	return {
		id: listed.id,
		name,
		dataDir,
		child: () => child,
		async startAgain(at) {
			child = start(at);
			await child.says("Connected to");
		},
		async kill() {
			child.process.kill("SIGKILL");
			await child.exited;
		},
		encoders: () => processesWith(`${dataDir}/jobs`),
		async order(rule) {
			const body = { runnerId: listed.id, displayId: display.id, ...rule } as CreateJobBody;
			return (await dashboard.api.createJob(body)).id;
		},
		async keepSpooled(jobId) {
			const kept = join(folder, `kept-${jobId}.mp4`);
			await link(join(dataDir, "jobs", `job-${jobId}`, "part-1.mp4"), kept);
			return kept;
		},
	};
}

/**
 * Every encoded frame of a video: its time and duration in seconds, its size, and a hash of its bytes. The header and
 * the time scale of a runner's upload differ from those of its spool file (runner/video/video-part.ts), but all frames
 * are the same.
 */
export async function encodedFrames(path: string): Promise<string> {
	const entries = ["-show_entries", "packet=pts_time,duration_time,size,data_hash", "-show_data_hash", "sha256"];
	const args = ["-v", "error", "-select_streams", "v", ...entries, "-of", "csv=p=0", path];
	const { stdout } = await promisify(execFile)("ffprobe", args, { maxBuffer: 64 * 2 ** 20 });
	if (stdout === "") throw new Error(`There are no frames in ${path}.`);
	return stdout;
}

/** The encoded frames of every video that the dashboard stores. */
export async function storedVideos(dashboard: Dashboard): Promise<string[]> {
	const folder = join(dashboard.dataDir, "videos");
	// Files that belong to a video have an extension; the video has none.
	const videos = (await readdir(folder)).filter((name) => !name.includes("."));
	return Promise.all(videos.map((name) => encodedFrames(join(folder, name))));
}
