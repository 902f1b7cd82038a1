/**
 * A simulated runner that records by itself: it signs in, polls, takes its jobs, uploads a video in chunks while it
 * "records", and reports. Cheap enough for a thousand of them in one process.
 */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { SyncAnswer } from "@tapedeck/contract/runner-protocol.ts";
import {
	type CallError,
	type RunnerAnswer,
	type SimulatedDashboard,
	SimulatedRunner,
	succeeded,
	type TestReport,
} from "./simulated-runner.ts";

/** The same as the real runner's. */
const WAIT_SECONDS = 5;
/** Longer than a poll; the real one gives up uploads after 6 s and polls after 15. */
const IDLE_MS = 8_000;
const RETRY_MS = 500;
const PIECE_EVERY_MS = 500;
/** The maximum that a real runner sends at once. */
const MAX_PIECES = 20;

/** Called on events of a simulated runner. */
export interface SimulationListener {
	/**
	 * Called when a chunk was confirmed. @param ms from the request to its response. @param pieces the number of chunks in
	 * the request
	 */
	patched?(ms: number, pieces: number): void;
	/** Called when the request that declares a video's length was confirmed. @param ms from the request to its response */
	completed?(ms: number): void;
	polled?(): void;
	/** A job ended with its video complete. */
	ended?(jobId: number): void;
	/** A call failed; the runner tries again. */
	failed?(error: Error): void;
}

type RecordedJob = { id: number; ends: AbortController; cancelSeen: boolean; seq: number };

export class SimulatedRecorder extends SimulatedRunner {
	protected override readonly idleMs = IDLE_MS;
	protected override readonly agent = new Agent({ keepAlive: true });
	readonly #pieces: readonly Buffer[];
	readonly #listener: SimulationListener;
	readonly #pieceEveryMs: number;
	readonly #jobs = new Map<number, RecordedJob>();
	readonly #recordings = new Set<Promise<void>>();
	#polling: Promise<void> = Promise.resolve();

	/**
	 * @param pieces the chunks of the video that every job records; it ends with the last one.
	 * @param pieceEveryMs the interval at which chunks are recorded; a real runner has one each half second.
	 */
	constructor(
		dashboard: SimulatedDashboard,
		name: string,
		pieces: readonly Buffer[],
		listener: SimulationListener = {},
		pieceEveryMs = PIECE_EVERY_MS,
	) {
		super(dashboard, name, [{ id: ":99", width: 640, height: 360 }]);
		this.#pieces = pieces;
		this.#listener = listener;
		this.#pieceEveryMs = pieceEveryMs;
	}

	/** Signs in and polls until `stop`, whatever fails meanwhile. Resolves after the sign-in. */
	async start(): Promise<void> {
		await this.#signInAgain();
		this.#polling = this.#poll();
	}

	/** Polls once. @returns the answer, after it was processed. */
	async poll(waitSeconds: number): Promise<SyncAnswer> {
		const jobs = [...this.#jobs.values()].map(({ id, cancelSeen }) => ({ id, cancelSeen }));
		const answer = await this.sync(jobs, waitSeconds);
		this.#listener.polled?.();
		for (const { id } of answer.start) this.#record(id);
		for (const id of answer.cancel) this.#cancel(id);
		return answer;
	}

	/** Jobs that record or upload now. */
	get busy(): number {
		return this.#jobs.size;
	}

	/** Ends its recordings, uploads the remaining chunks, and signs out. */
	async stop(): Promise<void> {
		for (const { id } of this.#jobs.values()) this.#cancel(id);
		await Promise.all(this.#recordings);
		this.gone.abort();
		await this.#polling;
		await this.signOut().catch(() => undefined);
	}

	override kill(): void {
		super.kill();
		for (const { ends } of this.#jobs.values()) ends.abort();
	}

	async #poll(): Promise<void> {
		while (!this.gone.signal.aborted) {
			try {
				await this.poll(WAIT_SECONDS);
			} catch (error) {
				if (this.gone.signal.aborted) return;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
				if ((error as CallError).status === 409) await this.#signInAgain();
			}
		}
	}

	async #signInAgain(): Promise<void> {
		while (!this.gone.signal.aborted) {
			try {
				await this.signIn();
				return;
			} catch (error) {
				if (this.gone.signal.aborted) return;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
			}
		}
	}

	#cancel(jobId: number): void {
		const job = this.#jobs.get(jobId);
		if (job === undefined) return;
		job.cancelSeen = true;
		job.ends.abort();
	}

	#record(id: number): void {
		if (this.#jobs.has(id)) return;
		const job: RecordedJob = { id, ends: new AbortController(), cancelSeen: false, seq: 0 };
		this.#jobs.set(id, job);
		const recording = this.#upload(job)
			.catch((error: Error) => {
				if (!this.gone.signal.aborted) this.#listener.failed?.(error);
			})
			.finally(() => {
				this.#jobs.delete(id);
				this.#recordings.delete(recording);
			});
		this.#recordings.add(recording);
	}

	async #upload(job: RecordedJob): Promise<void> {
		await this.#report(job, { type: "recording", width: 640, height: 360 });
		await this.#again(() => this.#create(job));
		const startedAt = performance.now();
		let sent = 0;
		let offset = 0;
		// Like the real one: whatever was captured meanwhile goes into the next request.
		while (sent < this.#pieces.length) {
			const dueAt = startedAt + (sent + 1) * this.#pieceEveryMs;
			const wait = dueAt - performance.now();
			// It reported that it records, so it has a chunk, even if it is cancelled before the chunk arrived.
			const ends = sent > 0 ? { signal: job.ends.signal } : {};
			if (wait > 0) await sleep(wait, undefined, ends).catch(() => undefined);
			if (job.ends.signal.aborted && sent > 0) break;
			const captured = Math.floor((performance.now() - startedAt) / this.#pieceEveryMs);
			const pieces = this.#pieces.slice(sent, Math.min(captured, sent + MAX_PIECES));
			if (pieces.length === 0) continue;
			const calledAt = performance.now();
			const from = offset;
			try {
				await this.#tus("PATCH", job, { "upload-offset": String(from) }, Buffer.concat(pieces));
				for (const piece of pieces) offset += piece.length;
				sent += pieces.length;
				this.#listener.patched?.(performance.now() - calledAt, pieces.length);
			} catch (error) {
				if (this.gone.signal.aborted) return;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
				({ offset, sent } = await this.#again(() => this.#resume(job)));
			}
		}
		if (this.gone.signal.aborted) return;
		const stopReason = job.cancelSeen ? "cancelled" : "duration_elapsed";
		await this.#report(job, { type: "stopped", stopReason, verdict: "ok" });
		await this.#finish(job, offset);
		this.#listener.ended?.(job.id);
	}

	async #create(job: RecordedJob): Promise<void> {
		try {
			await this.#tus("POST", job);
		} catch (error) {
			// An earlier attempt created it, and only its answer was lost.
			if ((error as CallError).status !== 409) throw error;
		}
	}

	/** Declares the upload's length, unless an earlier attempt whose answer was lost has done so. */
	async #finish(job: RecordedJob, bytes: number): Promise<void> {
		const length = String(bytes);
		let isRepeated = false;
		await this.#again(async () => {
			const isFinished = async () => (await this.#tus("HEAD", job)).headers["upload-length"] === length;
			if (isRepeated) {
				const { offset } = await this.#resume(job);
				const rest = Buffer.concat(this.#pieces).subarray(offset, bytes);
				if (rest.length > 0) await this.#tus("PATCH", job, { "upload-offset": String(offset) }, rest);
				else if (await isFinished()) return;
			}
			isRepeated = true;
			const calledAt = performance.now();
			await this.#tus("PATCH", job, { "upload-offset": length, "upload-length": length }, Buffer.alloc(0));
			this.#listener.completed?.(performance.now() - calledAt);
		});
	}

	/** The offset at which to continue: the beginning if the upload is gone, like the real recorder. */
	async #resume(job: RecordedJob): Promise<{ offset: number; sent: number }> {
		try {
			return await this.#confirmed(job);
		} catch (error) {
			if ((error as CallError).status !== 404) throw error;
			await this.#create(job);
			return { offset: 0, sent: 0 };
		}
	}

	/** The upload's offset according to the dashboard. A partially received chunk does not count. */
	async #confirmed(job: RecordedJob): Promise<{ offset: number; sent: number }> {
		const { headers } = await this.#tus("HEAD", job);
		const stored = Number(headers["upload-offset"]);
		let offset = 0;
		let sent = 0;
		for (const piece of this.#pieces) {
			if (offset + piece.length > stored) break;
			offset += piece.length;
			sent += 1;
		}
		if (offset === stored) return { offset, sent };
		const rest = (this.#pieces[sent] as Buffer).subarray(stored - offset);
		await this.#tus("PATCH", job, { "upload-offset": String(stored) }, rest);
		return { offset: stored + rest.length, sent: sent + 1 };
	}

	async #report(job: RecordedJob, fields: TestReport): Promise<void> {
		job.seq += 1;
		const report = { ...fields, seq: job.seq, at: new Date().toISOString() };
		await this.#again(() => this.report(job.id, report));
	}

	/** Repeats a call until it succeeds or the runner stops. */
	async #again<T>(call: () => Promise<T>): Promise<T> {
		for (;;) {
			try {
				return await call();
			} catch (error) {
				if (this.gone.signal.aborted) throw error;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
			}
		}
	}

	async #tus(...[method, job, headers, body]: Parameters<SimulatedRunner["upload"]>): Promise<RunnerAnswer> {
		return succeeded(`${method} of the upload of job ${job.id}`, await this.upload(method, job, headers, body));
	}
}
