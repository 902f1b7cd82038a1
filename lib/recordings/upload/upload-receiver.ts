/** Uploads by tus: how videos get here, from runners while they record, and from any tus client. */
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { JOB_KEY_HEADER, SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { objectFaultOf } from "#lib/s3/object-fault.ts";
import type { RecordingContext } from "../recording-context.ts";
import { isDiskFull } from "../space/disk-space.ts";
import { fileTooLargeMessage } from "../space/storage-quota.ts";
import { type RunnerCall, uploadIdOfJob } from "./owner.ts";
import { type ProgressContext, ProgressWriter, type RecordingProgress } from "./record-progress.ts";
import { answerRefusal, handleTus, Refusal, type TusUpload, UploadLocks } from "./tus-handler.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";
import type { UploadOwner } from "./upload-record.ts";
import { UploadSession } from "./upload-session.ts";
import { diskFull, UploadWaiting } from "./upload-waiting.ts";

/** Shorter than others should wait for the uploads of a dashboard that stops. */
const FLUSH_MS = 1_000;
/** A file is closed when no piece has come for so long. */
const IDLE_MS = 10_000;
const REFUSED: Record<string, number> = { forbidden: 403, not_found: 404, conflict: 409, unavailable: 503 };
const BUCKET_FULL = "The dashboard's object storage is full. Finish the upload once there is space.";

type ReceiverContext = ProgressContext & Pick<RecordingContext, "videoFiles" | "leases">;

/** An upload that is being appended to. */
interface OpenUpload extends TusUpload {
	file: FileHandle;
	video: GrowingVideo;
	/** Of this dashboard's lease (upload-leases.ts). */
	epoch: number | null;
	usedAt: number;
}

/** What this process knows about the uploads in progress, from one request to the next. */
export class UploadReceiver {
	readonly #ctx: ReceiverContext;
	readonly locks = new UploadLocks();
	/** By upload; used while it is locked. */
	readonly open = new Map<string, OpenUpload>();
	readonly progress = new Map<string, RecordingProgress>();
	readonly writer: ProgressWriter;
	readonly waiting: UploadWaiting;
	readonly unfinished: UnfinishedUploads;
	/** Who owns an upload, and which runner's session was found to hold its job a moment ago. */
	readonly holders = new Map<string, RunnerCall & { owner: UploadOwner; until: number }>();
	/** How often anything changed that decides who holds a job. */
	holderChanges = 0;
	/** Complete uploads that are being finished, which may take longer than their runner waits. */
	readonly finishing = new Map<string, Promise<boolean>>();
	#timer: NodeJS.Timeout | null = null;

	constructor(ctx: ReceiverContext) {
		this.#ctx = ctx;
		this.writer = new ProgressWriter(ctx, (uploadId) => this.#letGo(uploadId));
		this.waiting = new UploadWaiting(ctx);
		this.unfinished = new UnfinishedUploads(ctx);
		this.#forgetHolders();
		this.#endWatchersOfLostJobs();
	}

	/** Handles a tus request of an authenticated caller. */
	async receive(ctx: RecordingContext, req: IncomingMessage, res: ServerResponse): Promise<void> {
		try {
			await handleTus(new UploadSession(this, ctx, runnerCallOf(req)), this.locks, req, res);
		} catch (error) {
			answerRefusal(this.#refusal(ctx, error), req, res);
		}
	}

	/**
	 * Closes the files of uploads in progress, after their rows and what was on its way to the bucket. Call when no request
	 * is left.
	 */
	async close(): Promise<void> {
		const flushed = this.writer.flush().then(() => this.#ctx.videoStore.flush());
		// The database or the bucket may be away. What is not there comes again from the runners.
		await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })]).catch((error) =>
			this.#ctx.log.warn({ err: error }, "could not write the progress of recordings before stopping"),
		);
		if (this.#timer !== null) clearInterval(this.#timer);
		await Promise.all([...this.open.keys()].map((uploadId) => this.closeFile(uploadId)));
	}

	/** Keeps an upload's file open for its next piece. */
	keepOpen(uploadId: string, upload: OpenUpload): void {
		this.open.set(uploadId, upload);
		this.#timer ??= setInterval(() => this.#closeIdle(), IDLE_MS).unref();
	}

	/** Forgets what is known about an upload's file. Call with the upload locked, before anything else changes it. */
	async closeFile(uploadId: string): Promise<void> {
		const upload = this.open.get(uploadId);
		this.open.delete(uploadId);
		await upload?.file.close();
	}

	#closeIdle(): void {
		for (const [uploadId, { usedAt }] of this.open) {
			if (performance.now() - usedAt < IDLE_MS) continue;
			this.locks.hold(uploadId, null, () => this.closeFile(uploadId)).catch(() => undefined);
		}
	}

	/** Another dashboard has continued the upload: what this one knows about it is out of date. */
	#letGo(uploadId: string): void {
		this.#ctx.leases.forget(uploadId);
		this.progress.delete(uploadId);
		this.holders.delete(uploadId);
		this.#ctx.videoFiles.forget(uploadId);
	}

	#forgetHolders(): void {
		this.#ctx.events.subscribe((change) => {
			if (!["job", "runner", "recording", "resync"].includes(change.type)) return;
			if (change.type === "recording" && !change.deleted) return;
			this.holderChanges += 1;
			if (!("jobId" in change) || change.jobId === null) this.holders.clear();
			else this.holders.delete(uploadIdOfJob(change.jobId));
		});
	}

	/** A lost job makes its recording partial, so its live viewers have seen all of it. */
	#endWatchersOfLostJobs(): void {
		const { db, events, log, videoFiles } = this.#ctx;
		events.subscribe((change) => {
			if (change.type !== "job") return;
			this.progress.get(uploadIdOfJob(change.jobId))?.mayHaveChanged();
			const video = videoFiles.peek(uploadIdOfJob(change.jobId));
			if (video === null || video.final) return;
			db.selectFrom("recording")
				.select(["id", "organizationId", "jobId", "state"])
				.where("uploadId", "=", uploadIdOfJob(change.jobId))
				.executeTakeFirst()
				.then(async (row) => {
					if (row?.state !== "partial") return;
					video.finish();
					await publishRecording(this.#ctx, row);
				})
				.catch((error) => log.warn({ err: error }, "could not end the live views of a lost job's recording"));
		});
	}

	#refusal(ctx: RecordingContext, error: unknown): Refusal {
		if (error instanceof Refusal) {
			return error.status === 413 ? new Refusal(413, fileTooLargeMessage(ctx)) : error;
		}
		const status = isTapedeckError(error) ? REFUSED[error.code] : undefined;
		if (status !== undefined) return new Refusal(status, (error as Error).message);
		if (objectFaultOf(error) === "full") return new Refusal(507, BUCKET_FULL);
		if (isDiskFull(error)) return diskFull();
		this.#ctx.log.error({ err: error }, "an upload failed");
		return new Refusal(500, "Internal error. Get the offset with HEAD and continue there.");
	}
}

const runnerCallOf = ({ headers }: IncomingMessage): RunnerCall => ({
	sessionId: headerOf(headers[SESSION_HEADER]),
	jobKey: headerOf(headers[JOB_KEY_HEADER]),
});

const headerOf = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);
