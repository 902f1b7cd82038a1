/** State of the uploads in progress that this process keeps from one request to the next. */
import { type FileHandle, open } from "node:fs/promises";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import type { Actor } from "#lib/core/context.ts";
import { oneAtATime } from "#lib/core/one-at-a-time.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { jobIdOfUpload, type RunnerCall, uploadIdOfJob } from "./owner.ts";
import { type NewRecording, type ProgressContext, ProgressWriter, RecordingProgress } from "./record-progress.ts";
import { type TusUpload, UploadLocks } from "./tus-handler.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";
import type { UploadOwner, UploadRecord } from "./upload-record.ts";
import { UploadWaiting } from "./upload-waiting.ts";

/** A file is closed when no piece has come for so long. */
const IDLE_MS = 10_000;
/** A holder is believed as long as verified credentials are. */
const HOLDER_MS = 2_000;

export type UploadsContext = ProgressContext & Pick<RecordingContext, "videoFiles" | "leases">;

/** An upload that is being appended to. */
interface OpenUpload extends TusUpload {
	file: FileHandle;
	video: GrowingVideo;
	/** Epoch of this dashboard's lease (upload-leases.ts). */
	epoch: number | null;
	usedAt: number;
}

/** The caller of a request for an upload. */
interface Caller {
	actor: Actor;
	runner: RunnerCall;
}

export class UploadsInProgress {
	readonly locks = new UploadLocks();
	readonly waiting: UploadWaiting;
	readonly unfinished: UnfinishedUploads;
	readonly #ctx: UploadsContext;
	/** Open uploads. Each is used while its upload is locked. */
	readonly #open = new Map<string, OpenUpload>();
	readonly #progress = new Map<string, RecordingProgress>();
	readonly #writer: ProgressWriter;
	/** The owner of each upload, and the runner's session that held its job a moment ago. */
	readonly #holders = new Map<string, RunnerCall & { owner: UploadOwner; until: number }>();
	/** Number of changes that may affect who holds a job. */
	#holderChanges = 0;
	/** Complete uploads that are being finished, which may take longer than their runner waits. */
	readonly #finishing = new Map<string, Promise<unknown>>();
	#timer: NodeJS.Timeout | null = null;

	constructor(ctx: UploadsContext) {
		this.#ctx = ctx;
		this.#writer = new ProgressWriter(ctx, (uploadId) => this.#letGo(uploadId));
		this.waiting = new UploadWaiting(ctx);
		this.unfinished = new UnfinishedUploads(ctx);
		this.#forgetHolders();
		this.#endWatchersOfLostJobs();
	}

	/** @returns an upload whose file is open, if nobody else can have changed it since. */
	find(uploadId: string): TusUpload | undefined {
		const known = this.#open.get(uploadId);
		// Another video means that its file was deleted or replaced; another epoch, that another dashboard may have had it.
		const isKnown =
			known?.video === this.#ctx.videoFiles.peek(uploadId) && known?.epoch === this.#ctx.leases.epochOf(uploadId);
		return isKnown ? known : undefined;
	}

	/**
	 * Opens an upload's file, and keeps it open for its next piece.
	 * @param readRecord called if the file is not open yet.
	 */
	async open(
		uploadId: string,
		offset: number,
		video: GrowingVideo,
		readRecord: () => Promise<UploadRecord | undefined>,
	): Promise<OpenUpload> {
		const known = this.#open.get(uploadId);
		if (known?.video === video) return known;
		await this.closeFile(uploadId);
		const { size, metadata } = (await readRecord()) ?? {};
		const file = await open(this.#ctx.videoFiles.pathOf(uploadId), "r+");
		const epoch = this.#ctx.leases.epochOf(uploadId);
		const upload = { file, video, epoch, size, metadata, offset, usedAt: performance.now() };
		this.#open.set(uploadId, upload);
		this.#timer ??= setInterval(() => this.#closeIdle(), IDLE_MS).unref();
		return upload;
	}

	/** Forgets what is known about an upload's file. Call with the upload locked, before anything else changes it. */
	async closeFile(uploadId: string): Promise<void> {
		const upload = this.#open.get(uploadId);
		this.#open.delete(uploadId);
		await upload?.file.close();
	}

	/**
	 * Verifies that a caller holds an upload, at most every two seconds and after each change.
	 * @param verify throws unless the caller holds it. It gets the owner if that is known, and returns it.
	 */
	async verifyHolder(
		uploadId: string,
		{ actor, runner }: Caller,
		verify: (owner: UploadOwner | undefined) => Promise<UploadOwner | undefined>,
	): Promise<void> {
		const changes = this.#holderChanges;
		const known = this.#holders.get(uploadId);
		const isSame = known?.sessionId === runner.sessionId && known.jobKey === runner.jobKey;
		const isOwn = known?.owner.organizationId === actor.organizationId && known.owner.kind === actor.kind;
		if (isSame && isOwn && performance.now() < known.until) return;
		const owner = await verify(known?.owner);
		// A change during the query may not be in its answer.
		if (owner === undefined || owner.jobId === null || this.#holderChanges !== changes) return;
		this.#holders.set(uploadId, { ...runner, owner, until: performance.now() + HOLDER_MS });
	}

	/** @param describe called for the first bytes since the start of this process. */
	async progressOf(uploadId: string, describe: () => Promise<NewRecording>): Promise<RecordingProgress> {
		const known = this.#progress.get(uploadId);
		if (known !== undefined) return known;
		const progress = new RecordingProgress(this.#writer, uploadId, await describe());
		this.#progress.set(uploadId, progress);
		return progress;
	}

	/** The upload is removed, or begins again: its row is no longer updated. */
	endProgress(uploadId: string): void {
		void this.#progress.get(uploadId)?.end();
		this.#progress.delete(uploadId);
	}

	/** Finishes a complete upload. Concurrent calls for an upload share one attempt. */
	finish<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
		return oneAtATime(this.#finishing, uploadId, work) as Promise<T>;
	}

	/** All bytes are stored: from here on the caller writes the row. */
	async complete(uploadId: string): Promise<void> {
		await this.#progress.get(uploadId)?.end();
		this.#progress.delete(uploadId);
		this.#holders.delete(uploadId);
		await this.closeFile(uploadId);
		const jobId = jobIdOfUpload(uploadId);
		if (jobId !== null) this.waiting.forget(jobId);
	}

	/** Writes the rows of uploads in progress, without waiting for their second. */
	flush(): Promise<void> {
		return this.#writer.flush();
	}

	/** Closes all files. Call when no request is left. */
	async close(): Promise<void> {
		if (this.#timer !== null) clearInterval(this.#timer);
		await Promise.all([...this.#open.keys()].map((uploadId) => this.closeFile(uploadId)));
	}

	#closeIdle(): void {
		for (const [uploadId, { usedAt }] of this.#open) {
			if (performance.now() - usedAt < IDLE_MS) continue;
			this.locks.hold(uploadId, null, () => this.closeFile(uploadId)).catch(() => undefined);
		}
	}

	/** Another dashboard has continued the upload: what this one knows about it is out of date. */
	#letGo(uploadId: string): void {
		this.#ctx.leases.forget(uploadId);
		this.#progress.delete(uploadId);
		this.#holders.delete(uploadId);
		this.#ctx.videoFiles.forget(uploadId);
	}

	#forgetHolders(): void {
		this.#ctx.events.subscribe((change) => {
			if (!["job", "runner", "recording", "resync"].includes(change.type)) return;
			if (change.type === "recording" && !change.deleted) return;
			this.#holderChanges += 1;
			if (!("jobId" in change) || change.jobId === null) this.#holders.clear();
			else this.#holders.delete(uploadIdOfJob(change.jobId));
		});
	}

	/** A lost job makes its recording partial, so its live viewers have seen all of it. */
	#endWatchersOfLostJobs(): void {
		const { db, events, log, videoFiles } = this.#ctx;
		events.subscribe((change) => {
			if (change.type !== "job") return;
			this.#progress.get(uploadIdOfJob(change.jobId))?.mayHaveChanged();
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
}
