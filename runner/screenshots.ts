/**
 * Screenshot jobs. Nothing of them is kept on the disk: the job of a runner that is killed is still `starting`, so the dashboard
 * sends it again.
 */
import { JOB_KEY_HEADER, type JobReport, type SyncBody } from "@tapedeck/contract/runner-protocol.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { errorMessage, FatalError, messageOf } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import { Backoff, pause } from "./base/wait.ts";
import { type ScreenshotTools, takeScreenshot } from "./capture/take-screenshot.ts";
import { CallFailedError, problemOf } from "./dashboard/client.ts";
import type { Connection } from "./dashboard/connection.ts";

const DISPLAY_WAIT_MS = 10_000;
const SEND_TIMEOUT_MS = 60_000;

interface ScreenshotOrder {
	id: number;
	key: string;
	name: string;
	displayId: string;
	video?: VideoOptions;
}

interface Run {
	order: ScreenshotOrder;
	cancelled: AbortController;
	/** Aborted when the dashboard no longer has the job. */
	dropped: AbortController;
	finished: Promise<void>;
}

export class Screenshots {
	readonly #tools: ScreenshotTools;
	readonly #connection: Connection;
	readonly #log: RunnerLog;
	readonly #closed: AbortSignal;
	readonly #runs = new Map<string, Run>();

	constructor(tools: ScreenshotTools, connection: Connection, log: RunnerLog, closed: AbortSignal) {
		this.#tools = tools;
		this.#connection = connection;
		this.#log = log;
		this.#closed = closed;
	}

	get size(): number {
		return this.#runs.size;
	}

	isKnown(key: string): boolean {
		return this.#runs.has(key);
	}

	take(order: ScreenshotOrder, isCancelled: boolean): void {
		const [cancelled, dropped] = [new AbortController(), new AbortController()];
		const run: Run = { order, cancelled, dropped, finished: Promise.resolve() };
		if (isCancelled) cancelled.abort();
		this.#runs.set(order.key, run);
		run.finished = this.#run(run).finally(() => this.#runs.delete(order.key));
	}

	cancel(jobId: number): void {
		for (const { order, cancelled } of this.#runs.values()) if (order.id === jobId) cancelled.abort();
	}

	/** The dashboard no longer has the job. */
	drop(key: string): void {
		this.#runs.get(key)?.dropped.abort();
	}

	/** As listed in a sync call. */
	listed(): SyncBody["jobs"] {
		return [...this.#runs.values()].map(({ order: { id, key }, cancelled }) => {
			return { id, key, cancelSeen: cancelled.signal.aborted };
		});
	}

	async finished(): Promise<void> {
		await Promise.all([...this.#runs.values()].map((run) => run.finished));
	}

	async #run({ order, cancelled, dropped }: Run): Promise<void> {
		const { displayId, video = {} } = order;
		const ended = AbortSignal.any([this.#closed, dropped.signal]);
		const signal = AbortSignal.any([ended, cancelled.signal]);
		const label = `Job ${order.id}, "${order.name}"`;
		this.#log.info(`${label}: screenshot of ${displayId}.`);
		try {
			const taken = await takeScreenshot(this.#tools, { displayId, video, displayWaitMs: DISPLAY_WAIT_MS, signal });
			if (ended.aborted) return;
			if (taken === null) await this.#report(order, { type: "cancelled" }, ended);
			else if ("fault" in taken) {
				this.#log.warn(`${label} failed: ${messageOf(taken.fault)}`);
				const failed = { type: "failed", code: taken.fault.code, message: messageOf(taken.fault) } as const;
				await this.#report(order, failed, ended);
			} else {
				const { png, at, verdict, note } = taken;
				const { shiftMs } = this.#connection.clock;
				const query = new URLSearchParams({
					at: new Date(at).toISOString(),
					verdict,
					...(shiftMs === undefined ? {} : { clockShiftMs: String(shiftMs) }),
					...(note === undefined ? {} : { note }),
				});
				await this.#untilAccepted(ended, () => this.#send(order, `${query}`, png, ended));
			}
		} catch (error) {
			// An error that ends the runner is raised by its other calls, too.
			if (!this.#closed.aborted && !(error instanceof FatalError))
				this.#log.error(`${label} failed: ${errorMessage(error)}.`);
		}
	}

	async #send({ id, key }: ScreenshotOrder, query: string, png: Buffer, signal: AbortSignal): Promise<void> {
		const answer = await this.#connection.client.send({
			method: "PUT",
			path: `/v1/runner/jobs/${id}/screenshot?${query}`,
			headers: { "content-type": "image/png", [JOB_KEY_HEADER]: key },
			body: png,
			timeoutMs: SEND_TIMEOUT_MS,
			signal,
		});
		if (answer.status >= 200 && answer.status < 300) return;
		const problem = problemOf(answer);
		const { code = null, detail = null } = problem ?? {};
		throw new CallFailedError(detail ?? `status ${answer.status}`, answer.status, code, detail);
	}

	#report(
		{ id, key }: ScreenshotOrder,
		report: { type: "cancelled" } | Pick<Extract<JobReport, { type: "failed" }>, "type" | "code" | "message">,
		ended: AbortSignal,
	): Promise<void> {
		const { client, clock } = this.#connection;
		const at = new Date().toISOString();
		return this.#untilAccepted(ended, async (sessionId) => {
			const job = { ...report, jobId: id, jobKey: key, seq: 1, at };
			await client.reports({ sessionId, sentAt: new Date().toISOString(), clockShiftMs: clock.shiftMs, jobs: [job] });
		});
	}

	/** Repeats a call until the dashboard answers. @throws CallFailedError if repeating it cannot help. */
	async #untilAccepted(ended: AbortSignal, call: (sessionId: string) => Promise<void>): Promise<void> {
		const backoff = new Backoff();
		let refusedBy: string | null = null;
		for (;;) {
			const session = await this.#connection.session();
			if (ended.aborted) return;
			try {
				return await call(session);
			} catch (error) {
				if (ended.aborted) return;
				if (!(error instanceof CallFailedError)) throw error;
				const isOfSession = [401, 403].includes(error.status);
				// A new session that is refused as well means that the job is no longer the runner's.
				if (!error.isTransient && (!isOfSession || (refusedBy !== null && refusedBy !== session))) throw error;
				if (isOfSession) refusedBy = session;
				this.#connection.handleCallError(error, session);
			}
			await pause(backoff.nextMs(), ended);
		}
	}
}
