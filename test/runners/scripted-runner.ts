/** Simulated runners that stay connected and record as a test tells them: for pages in every state. */
import type { CreateJobBody } from "@tapedeck/contract/job.ts";
import type { Display } from "@tapedeck/contract/runner.ts";
import { VERSION } from "@tapedeck/contract/version.ts";
import type { Dashboard } from "../stack.ts";
import { SimulatedRunner, succeeded } from "./simulated-runner.ts";

/** The stop condition of a job. The runner ignores it. */
type Until = CreateJobBody extends infer Body
	? Body extends CreateJobBody
		? Pick<Body, "stopCondition" | "stopConditionConfig">
		: never
	: never;

const SMALL = { id: ":77", width: 160, height: 120 };

export class ScriptedRunner extends SimulatedRunner {
	readonly #api: Dashboard["api"];
	readonly #display: Display;
	readonly #jobs = new Set<number>();
	#alive: NodeJS.Timeout | undefined;

	constructor(dashboard: Pick<Dashboard, "url" | "api" | "runnerToken">, name: string, displays: readonly Display[]) {
		super(dashboard, name, displays);
		this.#api = dashboard.api;
		this.#display = displays[0] ?? SMALL;
	}

	/** Signs in and stays connected until `stop`. @param bufferSeconds the length of the buffer that it reports. */
	async start(bufferSeconds: number | null = null): Promise<this> {
		this.bufferSeconds = bufferSeconds;
		await this.signIn();
		this.#alive = setInterval(() => void this.take().catch(() => undefined), 3_000);
		return this;
	}

	/** Takes the jobs that wait for the runner. */
	async take(): Promise<void> {
		await this.sync([...this.#jobs].map((id) => ({ id })));
	}

	/** Reports sessions that it saw on its grid. */
	async saw(sessions: readonly unknown[]): Promise<void> {
		succeeded("reports", await this.call("reports", { sentAt: new Date().toISOString(), jobs: [], sessions }));
	}

	/**
	 * Creates a job that is recording, with an empty upload.
	 * @param forMs the length of the recording so far: its first frame was captured before the job was created.
	 * @returns its id.
	 */
	async record(jobName: string, until: Until = { stopCondition: "interrupt" }, forMs = 0): Promise<number> {
		const { id: displayId, width, height } = this.#display;
		const { id } = await this.#api.createJob({ runnerId: this.runnerId, displayId, name: jobName, ...until });
		await this.take();
		this.#jobs.add(id);
		await this.report(id, { type: "recording", width, height, at: new Date(Date.now() - forMs).toISOString() });
		succeeded("The upload's creation", await this.upload("POST", { id }));
		return id;
	}

	/** Sends bytes of a job's video. @returns the answer's status. */
	async send(jobId: number, offset: number, bytes: Buffer, length?: number): Promise<number> {
		const headers = {
			"upload-offset": String(offset),
			...(length === undefined ? {} : { "upload-length": String(length) }),
		};
		return (await this.upload("PATCH", { id: jobId }, headers, bytes)).status;
	}

	/**
	 * Records a whole video.
	 * @param forMs the length of the recording so far: its first frame was captured before the job was created.
	 * @param meanwhile sends further data of the job before its video ends.
	 * @returns its id, once its video can be played.
	 */
	async recordWhole(
		jobName: string,
		video: Buffer,
		forMs: number,
		meanwhile: (jobId: number) => Promise<unknown> = async () => undefined,
	): Promise<number> {
		const jobId = await this.record(jobName, undefined, forMs);
		await this.send(jobId, 0, video);
		await meanwhile(jobId);
		await this.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		await this.send(jobId, video.length, Buffer.alloc(0), video.length);
		const { recording } = await this.#api.waitFor(jobId, "playable");
		return recording?.id ?? 0;
	}

	async stop(): Promise<void> {
		clearInterval(this.#alive);
		await this.signOut();
	}
}

export const scriptRunner = (
	dashboard: Pick<Dashboard, "url" | "api" | "runnerToken">,
	name: string,
	displays: readonly Display[] = [SMALL],
	bufferSeconds: number | null = null,
): Promise<ScriptedRunner> => new ScriptedRunner(dashboard, name, displays).start(bufferSeconds);

/** Signs in a runner that does nothing more. @param options.leaves signs it out again, so that it is offline. @returns its id. */
export async function signInMachine(
	tapedeck: Pick<Dashboard, "url" | "runnerToken">,
	name: string,
	{
		displays = [{ id: ":7", width: 1280, height: 720 }],
		leaves = true,
		version = VERSION,
	}: { displays?: Display[]; leaves?: boolean; version?: string } = {},
): Promise<number> {
	const runner = new SimulatedRunner(tapedeck, name, displays);
	await runner.signIn(name, displays, `machine-${name}`, version);
	if (leaves) await runner.signOut();
	return runner.runnerId;
}
