/**
 * Uploads a video while it grows. This is our own tus 1.0 client because existing ones don't send new bytes within
 * 100 ms, nor let another process resume the upload of a file that still grows.
 */
import type { RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import { JOB_KEY_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import type { RunnerLog } from "../base/log.ts";
import { Backoff, pause } from "../base/wait.ts";
import { CallFailedError, problemOf } from "../dashboard/client.ts";
import type { Connection } from "../dashboard/connection.ts";
import type { HttpAnswer } from "../dashboard/http.ts";
import type { VideoSource } from "../video/recorded-video.ts";

const POLL_MS = 100;
const CHUNK_BYTES = 512 << 10;
/** Above 4 s: a half-open old connection can hold the upload's lock for more than 3 s. */
const IDLE_MS = 6_000;
const TUS = { "tus-resumable": "1.0.0" };
const OCTETS = { "content-type": "application/offset+octet-stream" };
const REMIND_MS = 60_000;

export interface UploadTask {
	/** A label for log lines. */
	label: string;
	/** Null for a file without a job. */
	jobId: number | null;
	jobKey: string | null;
	name: string;
	/** The kind of a file that is no capture of a display. It may be refused. */
	kind?: RecordingKind;
	/** Its media type; default video/mp4. */
	filetype?: string;
	/** Only without a job. */
	labels?: Record<string, string>;
	source: VideoSource;
	/** The id of an upload that was started earlier; null for none. */
	uploadId: string | null;
	/** Saves the upload's id before the first byte is sent. */
	begun(uploadId: string | null): Promise<void>;
	/** Called with the number of bytes that the dashboard has confirmed. */
	confirmed(bytes: number): void;
}

/** The dashboard does not take a file: it is not what it is said to be, or too large. The message is its reason. */
export class UploadRefusedError extends Error {
	override name = "UploadRefusedError";
}
/** Statuses that no retry changes. */
const REFUSED = [413, 415, 422];

/** `recheck`: the runner must ask the dashboard for its offset. */
type Step = "continue" | "recheck" | "done";

const metadata = (pairs: Record<string, string>): string =>
	Object.entries(pairs)
		.map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
		.join(",");

/** Uploads until everything is confirmed (true) or the signal aborts (false). @throws FatalError; UploadRefusedError. */
export async function upload(
	task: UploadTask,
	connection: Connection,
	log: RunnerLog,
	signal: AbortSignal,
): Promise<boolean> {
	const run = new UploadRun(task, connection, log, signal);
	return run.run();
}

/** Deletes what the dashboard has of a job's upload. @throws CallFailedError */
export async function removeUpload(
	{ client }: Connection,
	{ id, key }: { id: number; key: string },
	signal: AbortSignal,
): Promise<void> {
	const answer = await client.send({
		method: "DELETE",
		path: `/v1/uploads/job-${id}`,
		headers: { ...TUS, [JOB_KEY_HEADER]: key },
		idleMs: IDLE_MS,
		signal,
	});
	if (![204, 404, 410].includes(answer.status)) throw refused(answer);
}

class UploadRun {
	readonly #task: UploadTask;
	readonly #connection: Connection;
	readonly #log: RunnerLog;
	readonly #signal: AbortSignal;
	#id: string | null;
	/** Number of bytes that the dashboard has; null if it must be asked. */
	#offset: number | null = null;
	#chunk: Buffer | null = null;
	#remindAt = 0;

	constructor(task: UploadTask, connection: Connection, log: RunnerLog, signal: AbortSignal) {
		this.#task = task;
		this.#connection = connection;
		this.#log = log;
		this.#signal = signal;
		this.#id = task.uploadId;
	}

	async run(): Promise<boolean> {
		const backoff = new Backoff();
		while (!this.#signal.aborted) {
			const session = await this.#connection.session();
			if (this.#signal.aborted) break;
			try {
				const step = await this.#step();
				if (step === "done") return true;
				if (step === "recheck") this.#offset = null;
				backoff.reset();
			} catch (error) {
				if (this.#signal.aborted) break;
				this.#offset = null;
				if (this.#task.kind !== undefined && error instanceof CallFailedError && REFUSED.includes(error.status))
					throw new UploadRefusedError(error.message);
				if (error instanceof CallFailedError) this.#reportError(error, session);
				else throw error;
				await pause(backoff.nextMs(), this.#signal);
			}
		}
		return false;
	}

	#reportError(error: CallFailedError, session: string): void {
		if (error.status === 401 || error.status === 0) {
			this.#connection.handleCallError(error, session);
			return;
		}
		if (performance.now() < this.#remindAt) return;
		this.#remindAt = performance.now() + REMIND_MS;
		const reason =
			error.status === 507
				? "the dashboard has no space left for this video; free some space on its disk, or delete recordings of the organization. The video stays in the spool"
				: `the dashboard cannot accept the video now (${error.message}); retrying`;
		this.#log.warn(`${this.#task.label}: ${reason}.`);
	}

	async #step(): Promise<Step> {
		const { source } = this.#task;
		await source.refresh();
		if (this.#id === null) {
			if (source.available === 0) return this.#wait();
			return this.#create();
		}
		this.#offset ??= await this.#readOffset();
		if (this.#offset === null) return "done";
		if (this.#offset === -1) return this.#startOver();
		if (this.#offset < source.available) return this.#patch(this.#offset);
		if (source.sealed) return this.#finish(this.#offset);
		return this.#wait();
	}

	async #wait(): Promise<Step> {
		await pause(POLL_MS, this.#signal);
		return "continue";
	}

	async #create(): Promise<Step> {
		const { jobId, name, kind = "video", filetype = "video/mp4", labels } = this.#task;
		const answer = await this.#call("POST", "", {
			"upload-defer-length": "1",
			"upload-metadata": metadata({
				...(jobId === null ? {} : { jobId: String(jobId) }),
				name,
				filetype,
				...(kind === "video" ? {} : { kind }),
				...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
			}),
		});
		if (answer.status === 409 && jobId !== null) return this.#resumeExisting(refused(answer));
		if (answer.status !== 201) throw refused(answer);
		// Use only the id: behind a proxy, the server may not know its public URL.
		const id = answer.headers.location?.replace(/\/+$/, "").split("/").at(-1)?.split("?")[0];
		if (id === undefined || id === "") throw refused(answer);
		await this.#task.begun(id);
		this.#id = id;
		this.#offset = 0;
		return "continue";
	}

	/** The upload exists, but its id was not saved on this machine. It can be derived from the job's id. */
	async #resumeExisting(refusal: CallFailedError): Promise<Step> {
		this.#id = `job-${this.#task.jobId}`;
		const offset = await this.#readOffset();
		if (offset === -1) {
			this.#id = null;
			throw refusal;
		}
		await this.#task.begun(this.#id);
		this.#offset = offset;
		return offset === null ? "done" : "continue";
	}

	/** The dashboard's offset in bytes; null when it has everything, -1 when it does not know the upload. */
	async #readOffset(): Promise<number | null> {
		const answer = await this.#call("HEAD", `/${this.#id}`, {});
		if (answer.status === 404 || answer.status === 410) return -1;
		if (answer.status !== 200 && answer.status !== 204) throw refused(answer);
		const offset = Number(answer.headers["upload-offset"]);
		if (!Number.isSafeInteger(offset)) throw refused(answer);
		this.#task.confirmed(offset);
		return answer.headers["upload-length"] === String(offset) ? null : offset;
	}

	async #startOver(): Promise<Step> {
		this.#log.warn(`${this.#task.label}: the dashboard no longer has the upload; uploading from the beginning.`);
		await this.#task.begun(null);
		this.#id = null;
		return "recheck";
	}

	async #patch(offset: number): Promise<Step> {
		this.#chunk ??= Buffer.alloc(CHUNK_BYTES);
		const bytes = await this.#task.source.read(offset, this.#chunk);
		const answer = await this.#call(
			"PATCH",
			`/${this.#id}`,
			{ ...OCTETS, "upload-offset": String(offset) },
			this.#chunk.subarray(0, bytes),
		);
		if (answer.status === 409 || answer.status === 423) return this.#retryOffset();
		if (answer.status !== 204) throw refused(answer);
		const confirmed = Number(answer.headers["upload-offset"]);
		this.#offset = Number.isSafeInteger(confirmed) ? confirmed : null;
		if (this.#offset !== null) this.#task.confirmed(this.#offset);
		return "continue";
	}

	/** Conflicting offset or lock: an earlier connection of this runner may still be closing. */
	async #retryOffset(): Promise<Step> {
		await pause(POLL_MS, this.#signal);
		return "recheck";
	}

	/** Declares the final length with an empty PATCH. */
	async #finish(length: number): Promise<Step> {
		const answer = await this.#call(
			"PATCH",
			`/${this.#id}`,
			{ ...OCTETS, "upload-offset": String(length), "upload-length": String(length) },
			Buffer.alloc(0),
		);
		if (answer.status === 409 || answer.status === 423) return this.#retryOffset();
		if (answer.status !== 204) throw refused(answer);
		return "done";
	}

	async #call(method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<HttpAnswer> {
		const { jobKey } = this.#task;
		const answer = await this.#connection.client.send({
			method,
			path: `/v1/uploads${path}`,
			headers: { ...TUS, ...(jobKey === null ? {} : { [JOB_KEY_HEADER]: jobKey }), ...headers },
			body,
			idleMs: IDLE_MS,
			signal: this.#signal,
		});
		if (answer.status < 500) this.#connection.reached();
		return answer;
	}
}

const refused = (answer: HttpAnswer): CallFailedError => {
	// A proxy in between answers with whatever it likes.
	const text = problemOf(answer)?.detail.replace(/\.$/, "") ?? answer.text.replaceAll(/\s+/g, " ").slice(0, 200);
	return new CallFailedError(`status ${answer.status}${text === "" ? "" : `: ${text}`}`, answer.status);
};
