/**
 * A runner without displays and encoders that speaks the real protocol: it signs in, polls, takes its jobs, uploads a
 * video in pieces while it "records", and reports. Cheap enough for a thousand of them in one process.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { JOB_KEY_HEADER, type JobReport, SESSION_HEADER, type SyncAnswer } from "#lib/contract/runner-protocol.ts";

/** As long as the real runner's. */
const WAIT_SECONDS = 5;
/** Longer than a poll; the real one gives up uploads after 6 s and polls after 15. */
const IDLE_MS = 8_000;
const RETRY_MS = 500;
const PIECE_EVERY_MS = 500;
/** What a real runner sends at once at most. */
const MAX_PIECES = 20;

export interface SimulatedDashboard {
	port: number;
	runnerToken: string;
}

/** Called on events of a simulated runner. */
export interface SimulationListener {
	/** A piece was confirmed. @param ms from the request to its answer. @param pieces how many were sent in it */
	patched?(ms: number, pieces: number): void;
	polled?(): void;
	/** A job ended with its video complete. */
	ended?(jobId: number): void;
	/** A call failed; the runner tries again. */
	failed?(error: Error): void;
}

type Job = { id: number; key: string; ends: AbortController; cancelSeen: boolean; seq: number };
/** A report without what `#report` adds. */
type ReportFields<R = JobReport> = R extends JobReport ? Omit<R, "jobId" | "jobKey" | "seq" | "at"> : never;

export class SimulatedRecorder {
	readonly name: string;
	runnerId = 0;
	#dashboard: SimulatedDashboard;
	readonly #pieces: readonly Buffer[];
	readonly #listener: SimulationListener;
	readonly #agent = new Agent({ keepAlive: true });
	readonly #stopping = new AbortController();
	readonly #jobs = new Map<number, Job>();
	readonly #recordings = new Set<Promise<void>>();
	#sessionId = "";
	#polling: Promise<void> = Promise.resolve();

	/** @param pieces the video that every job records, one piece each half second; it ends with the last. */
	constructor(
		dashboard: SimulatedDashboard,
		name: string,
		pieces: readonly Buffer[],
		listener: SimulationListener = {},
	) {
		this.#dashboard = dashboard;
		this.name = name;
		this.#pieces = pieces;
		this.#listener = listener;
	}

	async signIn(): Promise<void> {
		const answer = (await this.#post("sign-in", {
			name: this.name,
			version: "simulated",
			instanceId: `instance of ${this.name}`,
			displays: [{ id: ":99", width: 640, height: 360 }],
		})) as { sessionId: string; runnerId: number };
		this.#sessionId = answer.sessionId;
		this.runnerId = answer.runnerId;
	}

	/** Signs in and polls until `stop`, whatever fails meanwhile. Resolves after the sign-in. */
	async start(): Promise<void> {
		await this.#signInAgain();
		this.#polling = this.#poll();
	}

	/** Lists its jobs once. @returns the answer, after taking what it brought. */
	async sync(waitSeconds: number): Promise<SyncAnswer> {
		const jobs = [...this.#jobs.values()].map(({ id, key, cancelSeen }) => ({ id, key, cancelSeen }));
		const body = { sessionId: this.#sessionId, jobs, waitSeconds };
		const answer = (await this.#post("sync", body)) as SyncAnswer;
		this.#listener.polled?.();
		for (const { id, key } of answer.start) this.#record(id, key);
		for (const id of answer.cancel) this.#cancel(id);
		return answer;
	}

	/** Jobs that record or upload now. */
	get busy(): number {
		return this.#jobs.size;
	}

	/** Ends its recordings, uploads what is left, and signs out. */
	async stop(): Promise<void> {
		for (const { id } of this.#jobs.values()) this.#cancel(id);
		await Promise.all(this.#recordings);
		this.#stopping.abort();
		await this.#polling;
		await this.#post("sign-out", { sessionId: this.#sessionId }, true).catch(() => undefined);
		this.#agent.destroy();
	}

	/** Disappears as if it were killed. */
	kill(): void {
		this.#stopping.abort();
		for (const { ends } of this.#jobs.values()) ends.abort();
		this.#agent.destroy();
	}

	async #poll(): Promise<void> {
		while (!this.#stopping.signal.aborted) {
			try {
				await this.sync(WAIT_SECONDS);
			} catch (error) {
				if (this.#stopping.signal.aborted) return;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
				if ((error as CallError).status === 409) await this.#signInAgain();
			}
		}
	}

	async #signInAgain(): Promise<void> {
		while (!this.#stopping.signal.aborted) {
			try {
				return await this.signIn();
			} catch (error) {
				if (this.#stopping.signal.aborted) return;
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

	#record(id: number, key: string): void {
		if (this.#jobs.has(id)) return;
		const job: Job = { id, key, ends: new AbortController(), cancelSeen: false, seq: 0 };
		this.#jobs.set(id, job);
		const recording = this.#upload(job)
			.catch((error: Error) => {
				if (!this.#stopping.signal.aborted) this.#listener.failed?.(error);
			})
			.finally(() => {
				this.#jobs.delete(id);
				this.#recordings.delete(recording);
			});
		this.#recordings.add(recording);
	}

	async #upload(job: Job): Promise<void> {
		const metadata = { jobId: String(job.id), filetype: "video/mp4" };
		const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${btoa(value)}`);
		await this.#report(job, { type: "recording", width: 640, height: 360 });
		const create = { "upload-defer-length": "1", "upload-metadata": pairs.join(",") };
		await this.#again(() => this.#create(job, create));
		const path = `/v1/uploads/job-${job.id}`;
		const startedAt = performance.now();
		let sent = 0;
		let offset = 0;
		// Like the real one: whatever was captured meanwhile goes into the next request.
		while (sent < this.#pieces.length) {
			const dueAt = startedAt + (sent + 1) * PIECE_EVERY_MS;
			const wait = dueAt - performance.now();
			// It reported that it records, so it has a piece, even when it is cancelled before that arrived.
			const ends = sent > 0 ? { signal: job.ends.signal } : {};
			if (wait > 0) await sleep(wait, undefined, ends).catch(() => undefined);
			if (job.ends.signal.aborted && sent > 0) break;
			const captured = Math.floor((performance.now() - startedAt) / PIECE_EVERY_MS);
			const pieces = this.#pieces.slice(sent, Math.min(captured, sent + MAX_PIECES));
			if (pieces.length === 0) continue;
			const calledAt = performance.now();
			const from = offset;
			try {
				await this.#tus("PATCH", job, path, { "upload-offset": String(from) }, Buffer.concat(pieces));
				for (const piece of pieces) offset += piece.length;
				sent += pieces.length;
				this.#listener.patched?.(performance.now() - calledAt, pieces.length);
			} catch (error) {
				if (this.#stopping.signal.aborted) return;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
				({ offset, sent } = await this.#again(() => this.#resume(job, path, create)));
			}
		}
		if (this.#stopping.signal.aborted) return;
		const stopReason = job.cancelSeen ? "cancelled" : "duration_elapsed";
		await this.#report(job, { type: "stopped", stopReason, verdict: "ok" });
		await this.#finish(job, path, offset, create);
		this.#listener.ended?.(job.id);
	}

	async #create(job: Job, headers: Record<string, string>): Promise<void> {
		try {
			await this.#tus("POST", job, "/v1/uploads", headers);
		} catch (error) {
			// An earlier attempt created it, and only its answer was lost.
			if ((error as CallError).status !== 409) throw error;
		}
	}

	/** Declares the upload's length, unless an earlier attempt whose answer was lost has done so. */
	async #finish(job: Job, path: string, bytes: number, create: Record<string, string>): Promise<void> {
		const length = String(bytes);
		let isRepeated = false;
		await this.#again(async () => {
			const isFinished = async () => (await this.#tus("HEAD", job, path, {})).headers["upload-length"] === length;
			if (isRepeated) {
				const { offset } = await this.#resume(job, path, create);
				const rest = Buffer.concat(this.#pieces).subarray(offset, bytes);
				if (rest.length > 0) await this.#tus("PATCH", job, path, { "upload-offset": String(offset) }, rest);
				else if (await isFinished()) return;
			}
			isRepeated = true;
			await this.#tus("PATCH", job, path, { "upload-offset": length, "upload-length": length }, Buffer.alloc(0));
		});
	}

	/** Where to continue: at the beginning if the upload is gone, like the real one. */
	async #resume(job: Job, path: string, create: Record<string, string>): Promise<{ offset: number; sent: number }> {
		try {
			return await this.#confirmed(job, path);
		} catch (error) {
			if ((error as CallError).status !== 404) throw error;
			await this.#create(job, create);
			return { offset: 0, sent: 0 };
		}
	}

	/** Where the dashboard says that the upload is. Nothing of a piece counts until all of it arrived. */
	async #confirmed(job: Job, path: string): Promise<{ offset: number; sent: number }> {
		const { headers } = await this.#tus("HEAD", job, path, {});
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
		await this.#tus("PATCH", job, path, { "upload-offset": String(stored) }, rest);
		return { offset: stored + rest.length, sent: sent + 1 };
	}

	async #report(job: Job, fields: ReportFields): Promise<void> {
		const at = new Date().toISOString();
		job.seq += 1;
		const report = { ...fields, jobId: job.id, jobKey: job.key, seq: job.seq, at };
		await this.#again(() => this.#post("reports", { sessionId: this.#sessionId, sentAt: at, jobs: [report] }));
	}

	/** Repeats a call until it succeeds or the runner stops. */
	async #again<T>(call: () => Promise<T>): Promise<T> {
		for (;;) {
			try {
				return await call();
			} catch (error) {
				if (this.#stopping.signal.aborted) throw error;
				this.#listener.failed?.(error as Error);
				await sleep(RETRY_MS);
			}
		}
	}

	async #post(path: string, body: unknown, evenStopping = false): Promise<unknown> {
		const headers = { "content-type": "application/json" };
		const { text } = await this.#call("POST", `/v1/runner/${path}`, headers, JSON.stringify(body), evenStopping);
		return text === "" ? null : JSON.parse(text);
	}

	#tus(method: string, job: Job, path: string, headers: Record<string, string>, body?: Buffer) {
		return this.#call(
			method,
			path,
			{
				"tus-resumable": "1.0.0",
				[SESSION_HEADER]: this.#sessionId,
				[JOB_KEY_HEADER]: job.key,
				...(method === "PATCH" ? { "content-type": "application/offset+octet-stream" } : {}),
				...headers,
			},
			body,
		);
	}

	#call(
		method: string,
		path: string,
		headers: Record<string, string>,
		body?: Buffer | string,
		evenStopping = false,
	): Promise<{ headers: IncomingMessage["headers"]; text: string }> {
		return new Promise((resolve, reject) => {
			const call = request({
				...{ host: "127.0.0.1", port: this.#dashboard.port, method, path, agent: this.#agent },
				...(evenStopping ? {} : { signal: this.#stopping.signal }),
				headers: {
					...{ accept: "application/json", authorization: `Bearer ${this.#dashboard.runnerToken}` },
					...headers,
					...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
				},
			});
			call.setTimeout(IDLE_MS, () => call.destroy(new Error(`${method} ${path} was not answered in time`)));
			call.on("error", reject);
			call.on("response", (answer) => {
				let text = "";
				answer.setEncoding("utf8");
				answer.on("data", (part: string) => {
					text += part;
				});
				answer.on("error", reject);
				answer.on("end", () => {
					const status = answer.statusCode ?? 0;
					if (status >= 200 && status < 300) resolve({ headers: answer.headers, text });
					else reject(new CallError(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`, status));
				});
			});
			call.end(body);
		});
	}
}

class CallError extends Error {
	readonly status: number;
	constructor(message: string, status: number) {
		super(message);
		this.status = status;
	}
}
