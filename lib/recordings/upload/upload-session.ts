/**
 * One tus request and its upload: ownership, storage quota, the recording's progress, and whether it waits for storage.
 * upload-receiver creates one per request; the store (tus-store) writes bytes with it.
 */
import type { FileHandle } from "node:fs/promises";
import { ERRORS, type Upload } from "@tus/server";
import type { WaitsFor } from "#lib/contract/storage.ts";
import { inTransaction } from "#lib/core/context.ts";
import { singly } from "#lib/core/singly.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { recordingIsEmpty } from "#lib/lifecycle/settle-job.ts";
import { writeAt } from "#lib/media/file-io.ts";
import type { GrowingVideo } from "#lib/media/growing-video.ts";
import { needsOperator, objectFaultOf } from "#lib/objects/object-fault.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import type { RecordingContext } from "../recording-context.ts";
import { isDiskFull } from "../space/disk-space.ts";
import { isQuotaExceeded, quotaCounter, releaseQuota, reserveQuota } from "../space/storage-quota.ts";
import { discardObjects } from "../store/object-ledger.ts";
import { PieceAppender } from "./append-piece.ts";
import { finishUpload } from "./finish-upload.ts";
import { assertOwns, jobIdOfUpload, ownerOf, ownerOfJob, type RunnerCall, uploadIdOfJob } from "./owner.ts";
import { type ProgressContext, ProgressWriter, RecordingProgress } from "./record-progress.ts";
import { UploadLocks } from "./tus-locker.ts";
import { UnfinishedUploads } from "./unfinished-uploads.ts";
import type { UploadOwner, UploadRecord } from "./upload-record.ts";
import { UploadWaiting } from "./upload-waiting.ts";
import { whyNoVideo } from "./video-type.ts";

/** As long as verified credentials. */
const HOLDER_MS = 2_000;

const NO_VIDEO = "Not a playable MP4 or WebM. The file wasn't saved.";

export const DISK_FULL = {
	status_code: 507,
	body: "The dashboard's disk is full. Continue the upload once there is space.\n",
};

/** This process's state of the uploads in progress, kept between requests. */
export class ActiveUploads {
	readonly progress = new Map<string, RecordingProgress>();
	readonly waiting: UploadWaiting;
	readonly writer: ProgressWriter;
	readonly locks = new UploadLocks();
	readonly pieces: PieceAppender;
	readonly unfinished: UnfinishedUploads;
	/** Who owns an upload, and which runner's session was found to hold its job a moment ago. */
	readonly holders = new Map<string, RunnerCall & { owner: UploadOwner; until: number }>();
	/** Complete uploads that are being finished, which may take longer than their runner waits. */
	readonly finishing = new Map<string, Promise<boolean>>();
	/** How often anything changed that decides who holds a job. */
	holderChanges = 0;

	constructor(ctx: ProgressContext & Pick<RecordingContext, "videoFiles" | "leases">) {
		this.writer = new ProgressWriter(ctx, (uploadId) => this.#letGo(ctx, uploadId));
		this.pieces = new PieceAppender(ctx.videoFiles, this.locks);
		this.waiting = new UploadWaiting(ctx);
		this.unfinished = new UnfinishedUploads(ctx);
		ctx.events.subscribe((change) => {
			if (!["job", "runner", "recording", "resync"].includes(change.type)) return;
			if (change.type === "recording" && !change.deleted) return;
			this.holderChanges += 1;
			if (!("jobId" in change) || change.jobId === null) this.holders.clear();
			else this.holders.delete(uploadIdOfJob(change.jobId));
		});
	}

	/** Another dashboard has continued the upload: what this one knows about it is out of date. */
	#letGo({ leases, videoFiles }: Pick<RecordingContext, "videoFiles" | "leases">, uploadId: string): void {
		leases.lost(uploadId);
		this.progress.delete(uploadId);
		this.holders.delete(uploadId);
		videoFiles.forget(uploadId);
	}
}

export class UploadSession {
	readonly files: VideoFiles;
	readonly #active: ActiveUploads;
	readonly #ctx: RecordingContext;
	readonly #runner: RunnerCall;
	/** Set when this request creates the upload. */
	#owner: UploadOwner | undefined;

	/** @param runner how a runner identifies itself in the request's headers. */
	constructor(active: ActiveUploads, ctx: RecordingContext, runner: RunnerCall) {
		this.#active = active;
		this.#ctx = ctx;
		this.#runner = runner;
		this.files = ctx.videoFiles;
	}

	/** @throws a refusal unless the caller created this upload or holds its job. */
	async authorize(uploadId: string): Promise<void> {
		if (!this.#ctx.leases.isHeld(uploadId)) await this.#takeOver(uploadId);
		await assertOwns(this.#ctx, this.#runner, (await this.record(uploadId))?.owner);
	}

	/** Continues here what another dashboard began, or this one before it stopped. */
	async #takeOver(uploadId: string): Promise<void> {
		const { leases } = this.#ctx;
		// Uploads that began on SQLite have a record only.
		if ((await this.record(uploadId)) === undefined) await leases.retake(uploadId);
		else await leases.take(uploadId);
	}

	/**
	 * The same for a runner's next piece. A session that ends in this process ends at once; otherwise within 2 s, like
	 * other credentials.
	 */
	async authorizePiece(uploadId: string): Promise<void> {
		if (!this.#ctx.leases.isHeld(uploadId)) await this.#takeOver(uploadId);
		const { holders, holderChanges } = this.#active;
		const known = holders.get(uploadId);
		const isSame = known?.sessionId === this.#runner.sessionId && known.jobKey === this.#runner.jobKey;
		const isOwn = known?.owner.organizationId === this.#ctx.actor.organizationId;
		if (isSame && isOwn && performance.now() < known.until) return;
		const owner = known?.owner ?? (await this.record(uploadId))?.owner;
		await assertOwns(this.#ctx, this.#runner, owner);
		// A change during the query may not be in its answer.
		if (owner === undefined || this.#active.holderChanges !== holderChanges) return;
		holders.set(uploadId, { ...this.#runner, owner, until: performance.now() + HOLDER_MS });
	}

	/** Call with the upload's lock held, before anything but its next piece changes it. */
	closePieces(uploadId: string): Promise<void> {
		return this.#active.pieces.close(uploadId);
	}

	/**
	 * Makes the caller the owner of the upload that this request creates.
	 * @returns the job's name; null for a video without a job.
	 * @throws a refusal unless the caller may upload, or holds the job.
	 */
	async claim(uploadId: string, jobId: number | null): Promise<string | null> {
		if (jobId === null) {
			const owner = ownerOf(this.#ctx);
			await this.#active.unfinished.begin(uploadId, owner);
			this.#owner = owner;
			try {
				await this.#ctx.leases.take(uploadId);
			} catch (error) {
				await this.endClaim(uploadId);
				throw error;
			}
			return null;
		}
		const { owner, jobName } = await ownerOfJob(this.#ctx, this.#runner, jobId);
		await this.#ctx.leases.take(uploadId);
		this.#owner = owner;
		this.#endProgress(uploadId);
		return jobName;
	}

	/** The upload that this request was to create cannot be created. */
	endClaim(uploadId: string): Promise<void> {
		return this.#active.unfinished.end(uploadId);
	}

	record(uploadId: string): Promise<UploadRecord | undefined> {
		return this.#ctx.videoStore.readRecord(uploadId);
	}

	/** Stores the upload's record; its owner is final from here on. */
	async keepRecord({ id, size, metadata, creation_date }: UploadRecord): Promise<void> {
		const owner = this.#owner ?? (await this.record(id))?.owner;
		await this.#ctx.videoStore.writeRecord({ id, size, metadata, creation_date, owner });
		await this.#active.unfinished.stored(id);
	}

	/**
	 * Call with the upload's lock held, before its file is used: this process may not have it yet.
	 * @returns how many bytes the dashboard has; null if it has no file.
	 */
	async storedBytes(uploadId: string): Promise<number | null> {
		const bytes = await this.#ctx.videoStore.restore(uploadId);
		const recording = bytes === null ? await this.recordingOf(uploadId) : undefined;
		return recording?.state === "ready" ? recording.bytes : bytes;
	}

	async recordingOf(uploadId: string) {
		const rows = this.#ctx.db.selectFrom("recording").select(["id", "state", "jobId", "bytes"]);
		return rows.where("uploadId", "=", uploadId).executeTakeFirst();
	}

	/**
	 * Reserves the space for a new upload of a known length. A job's recording is exempt: it uploads as far as it fits,
	 * while half of any other file would only block the space for a day.
	 * @throws insufficient_storage; quota_exceeded.
	 */
	async reserve({ id, size }: Upload): Promise<void> {
		if (jobIdOfUpload(id) !== null || size === undefined) return this.#ctx.diskSpace.claim(0);
		await this.#ctx.diskSpace.assertFits(size);
		await reserveQuota(this.#ctx, id, size);
	}

	/**
	 * @returns a function that stores a request's bytes, chunk by chunk: it counts their space, writes them, indexes them
	 *   and publishes them to live viewers. It throws insufficient_storage or quota_exceeded, with nothing written.
	 */
	async chunkWriter(uploadId: string, file: FileHandle, video: GrowingVideo) {
		const { diskSpace } = this.#ctx;
		const countQuota = await quotaCounter(this.#ctx, uploadId, { reserved: jobIdOfUpload(uploadId) === null });
		let progress: RecordingProgress | null = null;
		return async (offset: number, chunk: Buffer): Promise<void> => {
			const end = offset + chunk.length;
			await diskSpace.claim(chunk.length);
			await countQuota({ end, bytes: chunk.length });
			await writeAt(file, offset, chunk);
			if (progress === null) video.reopen();
			await video.grew(file, end, { start: offset, bytes: chunk });
			progress ??= await this.#began(uploadId, video);
			progress.grew(video);
		};
	}

	/**
	 * Runs work that needs storage. If there is none, the job's history says so.
	 * @throws a refusal with 507; what the work throws for any other reason.
	 */
	async withSpace<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const objectFault = objectFaultOf(error);
			if (objectFault !== null) {
				if (needsOperator(objectFault)) await this.#waits(uploadId, "bucket");
				throw error;
			}
			if (isDiskFull(error)) {
				await this.#waits(uploadId, "disk");
				throw DISK_FULL;
			}
			if (!isQuotaExceeded(error)) throw error;
			await this.#waits(uploadId, "quota");
			throw { status_code: 507, body: `${(error as Error).message}\n` };
		}
	}

	async #waits(uploadId: string, waitsFor: WaitsFor): Promise<void> {
		const jobId = jobIdOfUpload(uploadId);
		if (jobId !== null) await this.#active.waiting.begins(jobId, waitsFor);
	}

	/** The first bytes of this request are stored: the recording exists and is live. @returns its progress. */
	async #began(uploadId: string, video: GrowingVideo): Promise<RecordingProgress> {
		const progress = await this.#progressOf(uploadId);
		await progress.began(video);
		const jobId = jobIdOfUpload(uploadId);
		if (jobId !== null) await this.#active.waiting.ends(jobId);
		return progress;
	}

	async #progressOf(uploadId: string): Promise<RecordingProgress> {
		const known = this.#active.progress.get(uploadId);
		if (known !== undefined) return known;
		const record = await this.record(uploadId);
		if (record?.owner === undefined) throw new Error(`the upload ${uploadId} has no owner`);
		const progress = new RecordingProgress(this.#active.writer, uploadId, {
			organizationId: record.owner.organizationId,
			jobId: record.owner.jobId,
			name: record.metadata?.name ?? "Upload",
			contentType: record.metadata?.filetype ?? "video/mp4",
		});
		this.#active.progress.set(uploadId, progress);
		return progress;
	}

	#endProgress(uploadId: string): void {
		void this.#active.progress.get(uploadId)?.end();
		this.#active.progress.delete(uploadId);
	}

	/**
	 * Finishes a complete upload.
	 * @returns the id of its recording; null if a job's file isn't a video, which is kept regardless, or is empty.
	 * @throws a refusal with 422 if any other file isn't a video; it is deleted.
	 */
	async finish({ id, offset }: Pick<Upload, "id" | "offset">): Promise<number | null> {
		const jobId = (await this.record(id))?.owner?.jobId ?? null;
		if (offset > 0) {
			if (await this.#finish(id, jobId)) return (await this.recordingOf(id))?.id ?? null;
			if (jobId !== null) return null;
		}
		const why = jobId === null && offset > 0 ? await whyNoVideo(this.#ctx.videoFiles.pathOf(id), NO_VIDEO) : NO_VIDEO;
		await this.remove(id);
		if (jobId !== null) {
			await recordingIsEmpty(this.#ctx, jobId);
			return null;
		}
		throw { status_code: 422, body: `${why}\n` };
	}

	/**
	 * Finishes an upload whose last request broke off right after its last bytes were stored. A client that asks for the
	 * offset will learn that the upload is complete and send nothing more. Call while holding the upload's lock.
	 */
	async finishLate(uploadId: string): Promise<void> {
		const { size, owner } = (await this.record(uploadId)) ?? {};
		if (size === undefined || size === 0 || owner === undefined) return;
		if ((await this.storedBytes(uploadId)) === size) await this.#finish(uploadId, owner.jobId);
	}

	/** A second attempt beside the first one would read files that the first one deletes at its end. */
	#finish(uploadId: string, jobId: number | null): Promise<boolean> {
		return singly(this.#active.finishing, uploadId, () => this.#finishAlone(uploadId, jobId));
	}

	async #finishAlone(uploadId: string, jobId: number | null): Promise<boolean> {
		// The request that stored its bytes may have failed before the recording was added.
		if ((await this.recordingOf(uploadId)) === undefined)
			await this.files.use(uploadId, true, async (video) => (await this.#progressOf(uploadId)).began(video));
		await this.#active.progress.get(uploadId)?.end();
		this.#active.progress.delete(uploadId);
		this.#active.holders.delete(uploadId);
		if (jobId !== null) this.#active.waiting.forget(jobId);
		const isVideo = await this.withSpace(uploadId, () => finishUpload(this.#ctx, uploadId, jobId));
		await this.#active.unfinished.end(uploadId);
		return isVideo;
	}

	/** Deletes the upload: its row, its files and its reservation. @throws 404 if there is none. */
	async terminate(uploadId: string): Promise<void> {
		if ((await this.record(uploadId)) === undefined) throw ERRORS.FILE_NOT_FOUND;
		await this.remove(uploadId);
	}

	/** Deletes what is left of another upload with this name; the name stays with this dashboard. */
	async removeForgotten(uploadId: string): Promise<void> {
		await this.remove(uploadId);
		await this.#ctx.leases.take(uploadId);
	}

	async remove(uploadId: string): Promise<void> {
		this.#endProgress(uploadId);
		await this.#active.unfinished.end(uploadId);
		await releaseQuota(this.#ctx, uploadId);
		const row = await inTransaction(this.#ctx, async (ctx) => {
			const row = await ctx.db
				.deleteFrom("recording")
				.where("uploadId", "=", uploadId)
				.returning(["id", "organizationId", "jobId", "objectKey"])
				.executeTakeFirst();
			await discardObjects(ctx, [uploadId], [row?.objectKey ?? null]);
			return row;
		});
		await this.files.remove(uploadId);
		await this.#ctx.leases.drop(uploadId);
		if (row !== undefined) await publishRecording(this.#ctx, row, { deleted: true, withJob: true });
	}
}
