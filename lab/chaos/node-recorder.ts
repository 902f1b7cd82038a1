/**
 * A real runner next to the simulated ones of a chaos run over dashboards. Through the balancer it records a display
 * that shows a counter, in short jobs. No fault strikes its machine, so its recordings may only lack frames that a busy
 * machine did not capture.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { type CounterDisplay, startCounterDisplay } from "#test/counter/counter-display.ts";
import { type Frame, readVideo } from "#test/counter/read-video.ts";
import { newFolder, removeFolder, spooled, startRunner } from "#test/runners/runner-process.ts";
import { DASHBOARDS_API_KEY, DASHBOARDS_RUNNER_TOKEN } from "#test/servers/dashboards.ts";
import { until } from "#test/wait.ts";
import { wait } from "./break-nodes.ts";
import { checkRecording, type RecordingResult, type Span } from "./check-recording.ts";
import { stallsIn } from "./check-run.ts";
import { Client } from "./client.ts";
import type { Random } from "./random.ts";
import { BUSY, LATE_FRAME, STALL_REPORTED } from "./rules.ts";
import { sinceEpoch } from "./run-record.ts";

const NAME = "recorder";
const JOB_SECONDS = [3, 6] as const;
const PAUSE_MS = [500, 3_000] as const;
const START_MS = 60_000;
/** Confirmed files are deleted a moment later. */
const EMPTY_MS = 15_000;
const GRACE_MS = 15_000;

export class NodeRecorder {
	readonly #epoch: number;
	readonly #display: CounterDisplay;
	readonly #dataDir: string;
	readonly #program: ReturnType<typeof startRunner>;
	readonly #client: Client;
	readonly #closed = new AbortController();
	#runnerId = 0;
	/** The number of seconds that each job was to record, by the job's id. */
	readonly #jobs = new Map<number, number>();

	private constructor(url: string, epoch: number, display: CounterDisplay, dataDir: string) {
		this.#epoch = epoch;
		this.#display = display;
		this.#dataDir = dataDir;
		this.#client = new Client(url, DASHBOARDS_API_KEY, this.#closed.signal);
		const env = { TAPEDECK_TOKEN: DASHBOARDS_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: NAME };
		this.#program = startRunner({ url, dataDir, display: display.id, env });
	}

	/** @param url of the balancer. */
	static async start(url: string): Promise<NodeRecorder> {
		const epoch = Date.now();
		const begun = performance.now();
		const display = await startCounterDisplay(() => performance.now() - begun);
		const recorder = new NodeRecorder(url, epoch, display, await newFolder());
		try {
			recorder.#runnerId = await recorder.#signedIn();
			return recorder;
		} catch (error) {
			await recorder.stop();
			throw error;
		}
	}

	/** Whether a job is its own. */
	has(jobId: number): boolean {
		return this.#jobs.has(jobId);
	}

	/** Creates jobs until the time is over. They end by themselves. @param ids receives the id of each. */
	async createJobs(random: Random, ids: number[], ending: AbortSignal): Promise<void> {
		while (!ending.aborted) {
			const durationSeconds = random.whole(...JOB_SECONDS);
			const { id } = await this.#client.createJob({
				...{ runnerId: this.#runnerId, displayId: this.#display.id, name: NAME },
				...{ stopCondition: "duration", stopConditionConfig: { durationSeconds } },
			});
			this.#jobs.set(id, durationSeconds);
			ids.push(id);
			await wait(durationSeconds * 1_000 + random.whole(...PAUSE_MS), ending);
		}
	}

	/**
	 * Checks every frame of its recordings.
	 * @returns what each recording shows, and a sentence for each thing that is wrong.
	 */
	async check(jobs: readonly Job[]): Promise<{ recordings: RecordingResult[]; problems: string[] }> {
		const recordings: RecordingResult[] = [];
		const problems = await this.#left();
		const folder = await mkdtemp(join(tmpdir(), "tapedeck-chaos-nodes-"));
		for (const job of jobs) {
			const seconds = this.#jobs.get(job.id);
			if (seconds === undefined || job.recording === null) continue;
			const file = join(folder, `job-${job.id}.mp4`);
			try {
				await writeFile(file, await this.#client.video(job.recording.id));
				const result = await this.#checkVideo(job, job.recording, seconds, file);
				recordings.push(result);
				problems.push(...result.faults.map((fault) => `job ${job.id}: ${fault} (${file})`));
				if (result.faults.length === 0) await rm(file);
			} catch (error) {
				problems.push(`job ${job.id}: its video cannot be read: ${(error as Error).message} (${file})`);
			}
		}
		if (problems.length === 0) await rm(folder, { recursive: true });
		return { recordings, problems };
	}

	async stop(): Promise<void> {
		this.#closed.abort();
		await this.#program.stop(GRACE_MS);
		await this.#display.stop();
		await removeFolder(this.#dataDir);
	}

	async #checkVideo(
		job: Job,
		{ durationSeconds }: NonNullable<Job["recording"]>,
		askedSeconds: number,
		file: string,
	): Promise<RecordingResult> {
		const { frames, lengthMs, complaints } = await readVideo(file);
		const stalls = stallsIn(await this.#client.events(job.id));
		const startedAt = sinceEpoch(this.#epoch, job.startedAt) ?? 0;
		const end = startedAt + askedSeconds * 1_000;
		return checkRecording({
			...{ frames, lengthMs, complaints, stalls, startedAt, durationSeconds, askedSeconds },
			...{ painted: this.#display.painted, end: { from: end, to: end + BUSY } },
			allowed: [...stalls, ...shortStalls(frames)].map(({ from, to }) => ({
				from: startedAt + from,
				to: startedAt + to,
			})),
		});
	}

	/** Files and processes that the runner has left on its machine, although all of its jobs have ended. */
	async #left(): Promise<string[]> {
		const { exitCode, signalCode } = this.#program.process;
		const output = () => this.#program.output().slice(-2_000);
		if (exitCode !== null || signalCode !== null)
			return [`the real runner ended (${exitCode ?? signalCode}): ${output()}`];
		const isEmpty = async () => (await spooled(this.#dataDir)).length === 0;
		const left = await until(isEmpty, "its spool is empty", EMPTY_MS).catch((error: Error) => error);
		return left === true ? [] : [`the real runner still has ${await spooled(this.#dataDir)}: ${output()}`];
	}

	#signedIn(): Promise<number> {
		const find = async () => {
			const runners = await this.#client.runners();
			const found = runners.find(({ name, state }) => name === NAME && state === "online");
			return found?.displays.some(({ id }) => id === this.#display.id) ? found.id : null;
		};
		return until(find, () => `the real runner reports its display:\n${this.#program.output()}`, START_MS);
	}
}

/** Spans without a frame that are too short to be reported as stalls. */
function shortStalls(frames: readonly Frame[]): Span[] {
	return frames.flatMap(({ at }, index) => {
		const to = frames[index + 1]?.at ?? at;
		return to - at > LATE_FRAME && to - at <= STALL_REPORTED ? [{ from: at, to }] : [];
	});
}
