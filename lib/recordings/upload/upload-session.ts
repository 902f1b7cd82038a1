/**
 * The uploads that the caller of one request can reach: their authorization, their space, their bytes on the disk, and the
 * recordings or attachments that they become.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, writeFile } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { ATTACHMENT_HEADER } from "@tapedeck/contract/attachment-kinds.ts";
import { RECORDING_HEADER } from "@tapedeck/contract/recording.ts";
import { writeAt } from "@tapedeck/media/file-io.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { assertCapable } from "#lib/core/capabilities.ts";
import { inTransaction } from "#lib/core/context.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { recordingIsEmpty } from "#lib/lifecycle/settle-job.ts";
import { isCapable, readLimits } from "#lib/lifecycle/token-limits.ts";
import { addAttachment, assertCanAttach, type NewAttachment } from "#lib/test-results/store/attachment-rows.ts";
import { publishResults } from "#lib/test-results/store/result-store.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import type { RecordingContext } from "../recording-context.ts";
import { maxUploadBytes, quotaCounter, releaseQuota, reserveQuota } from "../space/storage-quota.ts";
import { discardObjects } from "../store/object-ledger.ts";
import { kindOf, NO_IMAGE } from "./file-kind.ts";
import { finishUpload, type NewFile } from "./finish-upload.ts";
import { assertOwns, jobIdOfUpload, ownerOf, ownerOfJob, type RunnerCall, uploadIdOfJob } from "./owner.ts";
import type { NewRecording, RecordingProgress } from "./record-progress.ts";
import { storeUploadedFile } from "./store-file.ts";
import { Refusal, type TusStore, type TusUpload, type UploadMetadata, uploadNotFound } from "./tus-handler.ts";
import { describeUpload, keepingOf, keptMetadata, type NewUpload } from "./upload-metadata.ts";
import { assertMayAttach, attachmentOf, videoOf } from "./upload-purpose.ts";
import type { UploadRecord } from "./upload-record.ts";
import type { UploadsInProgress } from "./uploads-in-progress.ts";
import { assertPast, findShownResult } from "./video-of-result.ts";
import { whyNoVideo } from "./video-type.ts";

const NO_VIDEO = "Not a playable MP4 or WebM. The file wasn't saved.";
const ONLY_VIDEO = "Leave kind out of Upload-Metadata: the file of this job is a video.";
const HAS_BYTES = "This job's upload already has bytes. Get its offset with HEAD and continue there.";

export class UploadSession implements TusStore {
	readonly #files: VideoFiles;
	readonly #uploads: UploadsInProgress;
	readonly #ctx: RecordingContext;
	readonly #runner: RunnerCall;

	/** @param runner how a runner identifies itself in the request's headers. */
	constructor(uploads: UploadsInProgress, ctx: RecordingContext, runner: RunnerCall) {
		this.#uploads = uploads;
		this.#ctx = ctx;
		this.#runner = runner;
		this.#files = ctx.videoFiles;
	}

	get maxBytes(): number {
		return maxUploadBytes(this.#ctx);
	}

	/** @throws a refusal unless the caller may upload, or holds the job; and if the metadata are invalid. */
	async begin(size: number | undefined, metadata: UploadMetadata): Promise<UploadRecord> {
		const asked = describeUpload(metadata, size);
		const creation_date = new Date().toISOString();
		if (asked.jobId !== null) {
			const { owner, jobName, type } = await ownerOfJob(this.#ctx, this.#runner, asked.jobId);
			if (type !== "file_upload" && kindOf(metadata.kind) !== "video") throw new Refusal(422, ONLY_VIDEO);
			const id = uploadIdOfJob(asked.jobId);
			await this.#ctx.leases.take(id);
			this.#uploads.endProgress(id);
			return { id, size, metadata: keptMetadata(metadata, asked.name ?? jobName), creation_date, owner };
		}
		await this.#assertCapable();
		await this.#assertPurpose(asked, size);
		const id = randomBytes(16).toString("hex");
		const owner = ownerOf(this.#ctx);
		await this.#uploads.unfinished.begin(id, owner);
		try {
			await this.#ctx.leases.take(id);
		} catch (error) {
			await this.#uploads.unfinished.end(id);
			throw error;
		}
		return { id, size, metadata: keptMetadata(metadata, asked.name), creation_date, owner };
	}

	/** @throws forbidden for a key or a runner's token that may not upload files. */
	async #assertCapable(): Promise<void> {
		const { actor, db } = this.#ctx;
		assertCapable(this.#ctx, "upload");
		if (actor.kind !== "runner") return;
		const tokens = db.selectFrom("runnerToken").select("limits").where("id", "=", actor.runnerTokenId);
		const token = await tokens.executeTakeFirst();
		if (token === undefined || isCapable(readLimits(token), "upload")) return;
		throw new Refusal(403, 'This runner\'s token does not allow uploads. Use one whose capabilities have "upload".');
	}

	/** Refuses a file before it is sent. @throws not_found; conflict; payload_too_large; validation_failed. */
	async #assertPurpose({ attachment, video }: NewUpload, size: number | undefined): Promise<void> {
		if (attachment !== null) {
			assertMayAttach(this.#ctx, size);
			await assertCanAttach(this.#ctx, attachment.owner);
		}
		if (video !== null) {
			assertPast(this.#ctx, video.startedAt);
			await findShownResult(this.#ctx, video.testResultId);
		}
	}

	/** @throws a refusal with 409 if a job's upload has bytes: it may be created again only while it is empty. */
	async create(upload: UploadRecord): Promise<void> {
		const { id } = upload;
		try {
			await this.#uploads.closeFile(id);
			if (((await this.#storedBytes(id)) ?? 0) > 0) {
				if ((await this.#recordingOf(id)) !== undefined) throw new Refusal(409, HAS_BYTES);
				// After a database restore, job ids are assigned again, and the videos folder may be newer than the database.
				await this.remove(id);
				await this.#ctx.leases.take(id);
			}
			this.#files.forget(id);
			await this.#uploads.waiting.run(id, () => this.#createFile(upload));
		} catch (error) {
			await this.#uploads.unfinished.end(id);
			throw error;
		}
	}

	/**
	 * Reserves the space of an upload of a known length. A job's recording is exempt: it uploads as far as it fits, while
	 * half of any other file would only block the space for a day.
	 * @throws insufficient_storage; quota_exceeded.
	 */
	async #createFile(upload: UploadRecord): Promise<void> {
		const { id, size } = upload;
		const isJobs = jobIdOfUpload(id) !== null;
		if (isJobs || size === undefined) await this.#ctx.diskSpace.claim(0);
		else {
			await this.#ctx.diskSpace.assertFits(size);
			await reserveQuota(this.#ctx, id, size);
		}
		try {
			await writeFile(this.#files.pathOf(id), "");
			await this.#ctx.videoStore.writeRecord(upload);
			await this.#uploads.unfinished.stored(id);
		} catch (error) {
			if (!isJobs) await this.remove(id);
			throw error;
		}
	}

	/**
	 * A runner's session that ends in this process ends at once; otherwise within 2 s, like other credentials.
	 * @throws a refusal unless the caller created this upload or holds its job.
	 */
	async authorize(id: string): Promise<void> {
		const { leases } = this.#ctx;
		if (!leases.isHeld(id)) {
			// An upload that another dashboard began may have only a lease, and one from SQLite only a record.
			const isThere = (await this.#record(id)) !== undefined || (await leases.find(id)) !== "unknown";
			if (isThere) await leases.take(id);
		}
		const caller = { actor: this.#ctx.actor, runner: this.#runner };
		await this.#uploads.verifyHolder(id, caller, async (known) => {
			const owner = known ?? (await this.#record(id))?.owner;
			await assertOwns(this.#ctx, this.#runner, owner);
			return owner;
		});
	}

	async find(id: string): Promise<TusUpload> {
		const known = this.#uploads.find(id);
		if (known !== undefined) return known;
		await this.#uploads.closeFile(id);
		const record = await this.#record(id);
		const offset = record === undefined ? null : await this.#storedBytes(id);
		if (record === undefined || offset === null) throw uploadNotFound();
		return { size: record.size, metadata: record.metadata, offset };
	}

	async declareLength(id: string, size: number): Promise<void> {
		const record = await this.#record(id);
		if (record === undefined) throw uploadNotFound();
		await this.#uploads.closeFile(id);
		await this.#ctx.videoStore.writeRecord({ ...record, size });
	}

	/**
	 * Counts the space of each piece, writes it, indexes it, and publishes it to live viewers. If there is no space,
	 * the job's history says so.
	 */
	async append(id: string, offset: number, pieces: AsyncGenerator<Buffer>): Promise<number> {
		const first = await pieces.next();
		// The file of a complete recording may be stored elsewhere, and nothing follows it.
		if (first.done === true) return offset;
		let end = offset;
		const store = async (video: GrowingVideo) => {
			const upload = await this.#uploads.open(id, offset, video, () => this.#record(id));
			const isAttachment = attachmentOf(upload.metadata ?? {}) !== null;
			const write = await this.#writer(id, upload.file, video, isAttachment);
			for (let next: IteratorResult<Buffer> = first; next.done !== true; next = await pieces.next()) {
				await write(end, next.value);
				end += next.value.length;
				upload.offset = end;
				upload.usedAt = performance.now();
			}
		};
		try {
			await this.#uploads.waiting.run(id, () => this.#files.use(id, true, store));
			return end;
		} catch (error) {
			// The file may be longer or shorter than was thought.
			await this.#uploads.closeFile(id);
			throw (error as NodeJS.ErrnoException).code === "ENOENT" ? uploadNotFound() : error;
		}
	}

	/** @returns what stores the pieces of this request. It throws insufficient_storage or quota_exceeded before it writes. */
	async #writer(id: string, file: FileHandle, video: GrowingVideo, isAttachment: boolean) {
		const countQuota = await quotaCounter(this.#ctx, id, { reserved: jobIdOfUpload(id) === null });
		let progress: RecordingProgress | null = null;
		return async (offset: number, piece: Buffer): Promise<void> => {
			const end = offset + piece.length;
			await this.#ctx.diskSpace.claim(piece.length);
			await countQuota({ end, bytes: piece.length });
			await writeAt(file, offset, piece);
			// Its row is added when all bytes are stored.
			if (isAttachment) return;
			if (progress === null) video.reopen();
			await video.grew(file, end, { start: offset, bytes: piece });
			progress ??= await this.#began(id, video);
			progress.grew(video);
		};
	}

	/** The first bytes of this request are stored: the recording exists and is live. @returns its progress. */
	async #began(id: string, video: GrowingVideo): Promise<RecordingProgress> {
		const progress = await this.#uploads.progressOf(id, () => this.#newRecording(id));
		await progress.began(video);
		const jobId = jobIdOfUpload(id);
		if (jobId !== null) await this.#uploads.waiting.ends(jobId);
		return progress;
	}

	async #newRecording(id: string): Promise<NewRecording> {
		const record = await this.#record(id);
		if (record?.owner === undefined) throw new Error(`the upload ${id} has no owner`);
		return {
			organizationId: record.owner.organizationId,
			jobId: record.owner.jobId,
			name: record.metadata?.name ?? "Upload",
			kind: kindOf(record.metadata?.kind),
			contentType: record.metadata?.filetype ?? "video/mp4",
			keeping: keepingOf(record.owner.jobId === null ? (record.metadata ?? {}) : {}),
		};
	}

	/**
	 * Makes a complete upload an attachment or a recording. A job's file is kept even if it isn't a video, unless it is empty.
	 * @returns the id of the attachment, or of the recording of a file without a job: nothing else leads from the upload to it.
	 * @throws a refusal with 422 if any other file isn't what it is said to be; not_found, conflict and validation_failed if its
	 *   result or test run cannot have it. Then it is deleted.
	 */
	async finish(id: string): Promise<OutgoingHttpHeaders> {
		const record = await this.#record(id);
		if (record === undefined) throw uploadNotFound();
		const jobId = record.owner?.jobId ?? null;
		const attachment = jobId === null ? attachmentOf(record.metadata ?? {}) : null;
		if (attachment !== null) return this.#finishAttachment(id, attachment);
		const isEmpty = record.size === 0;
		// A second attempt beside the first one would read files that the first one deletes at its end.
		const kind = kindOf(record.metadata?.kind);
		const ofResult = jobId === null ? videoOf(record.metadata ?? {}) : null;
		const file = { kind, type: record.metadata?.filetype ?? null, ofResult };
		const attempt = () =>
			this.#uploads.finish(id, () => this.#keepIfAccepted(id, () => this.#makeReady(id, jobId, file)));
		const isVideo = !isEmpty && (await attempt());
		if (jobId === null && isVideo) return { [RECORDING_HEADER]: String((await this.#recordingOf(id))?.id) };
		if (jobId !== null && !isEmpty) return {};
		const why = kind !== "video" ? NO_IMAGE : isEmpty ? NO_VIDEO : await whyNoVideo(this.#files.pathOf(id), NO_VIDEO);
		await this.remove(id);
		if (jobId === null) throw new Refusal(422, why);
		await recordingIsEmpty(this.#ctx, jobId);
		return {};
	}

	async #finishAttachment(id: string, attachment: NewAttachment): Promise<OutgoingHttpHeaders> {
		const attachmentId = await this.#uploads.finish(id, async () => {
			const stored = await this.#attachmentOf(id);
			if (stored !== undefined) return stored.id;
			await this.#uploads.complete(id);
			let known: number | null = null;
			const add = async () => {
				// Before the file goes to the bucket.
				await assertCanAttach(this.#ctx, attachment.owner);
				return storeUploadedFile(this.#ctx, id, attachment.contentType, async (ctx, file) => {
					const added = await addAttachment(ctx, attachment, file);
					known = added.row.id;
					return added.isNew ? added : null;
				});
			};
			const added = await this.#uploads.waiting.run(id, () => this.#keepIfAccepted(id, add));
			if (added === null) {
				await this.remove(id);
				return known;
			}
			this.#files.forget(id);
			await this.#uploads.unfinished.end(id);
			publishResults(this.#ctx, added.of);
			return added.row.id;
		});
		return { [ATTACHMENT_HEADER]: String(attachmentId) };
	}

	/** Deletes the upload if its test result or test run cannot have the file. */
	async #keepIfAccepted<T>(id: string, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const { code } = error as { code?: unknown };
			if (["not_found", "conflict", "validation_failed"].includes(String(code))) await this.remove(id);
			throw error;
		}
	}

	/** @returns whether it is a file of its kind. */
	async #makeReady(id: string, jobId: number | null, file: NewFile): Promise<boolean> {
		// The request that stored its bytes may have failed before the recording was added.
		if ((await this.#recordingOf(id)) === undefined) await this.#files.use(id, true, (video) => this.#began(id, video));
		await this.#uploads.complete(id);
		const isVideo = await this.#uploads.waiting.run(id, () => finishUpload(this.#ctx, id, jobId, file));
		await this.#uploads.unfinished.end(id);
		return isVideo;
	}

	/** Deletes the upload: its row, its files and its reservation. */
	async remove(id: string): Promise<void> {
		await this.#uploads.closeFile(id);
		this.#uploads.endProgress(id);
		await this.#uploads.unfinished.end(id);
		await releaseQuota(this.#ctx, id);
		const row = await inTransaction(this.#ctx, async (ctx) => {
			const row = await ctx.db
				.deleteFrom("recording")
				.where("uploadId", "=", id)
				.returning(["id", "organizationId", "jobId", "objectKey"])
				.executeTakeFirst();
			await discardObjects(ctx, [id], [row?.objectKey ?? null]);
			return row;
		});
		await this.#files.remove(id);
		await this.#ctx.leases.drop(id);
		if (row !== undefined) await publishRecording(this.#ctx, row, { deleted: true, withJob: true });
	}

	#record(id: string): Promise<UploadRecord | undefined> {
		return this.#ctx.videoStore.readRecord(id);
	}

	/** @returns the number of stored bytes, which may be in the bucket only; null if there is no file. */
	async #storedBytes(id: string): Promise<number | null> {
		const attachment = jobIdOfUpload(id) === null ? await this.#attachmentOf(id) : undefined;
		if (attachment !== undefined) return attachment.bytes;
		const bytes = await this.#ctx.videoStore.restore(id);
		const recording = bytes === null ? await this.#recordingOf(id) : undefined;
		return recording?.state === "ready" ? recording.bytes : bytes;
	}

	#attachmentOf(id: string) {
		const rows = this.#ctx.db.selectFrom("attachment").select(["id", "bytes"]);
		return rows.where("uploadId", "=", id).executeTakeFirst();
	}

	#recordingOf(id: string) {
		const rows = this.#ctx.db.selectFrom("recording").select(["id", "state", "bytes"]);
		return rows.where("uploadId", "=", id).executeTakeFirst();
	}
}
