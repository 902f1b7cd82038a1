/** Updates recordings' rows as their files grow: at the first byte, about once a second, and at the end. */
import { open } from "node:fs/promises";
import type { RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { sql } from "kysely";
import { inTransaction } from "#lib/core/context.ts";
import { dialectOf } from "#lib/db/dialect.ts";
import { lockJob } from "#lib/lifecycle/job-store.ts";
import { deleteAtOf, labelColumns, recordingSettings, sharedColumnsOf } from "#lib/lifecycle/labels.ts";
import { publishRecording, type RecordingRow, type StoredContent } from "#lib/lifecycle/recording-store.ts";
import { storeVerdict } from "#lib/lifecycle/verdict.ts";
import type { RecordingContext } from "../recording-context.ts";
import { discardVideos } from "../store/object-ledger.ts";
import { Refusal } from "./tus-handler.ts";
import type { UploadKeeping } from "./upload-metadata.ts";

const WRITE_EVERY_MS = 1_000;
/** Bounds what a machine crash can lose, and keeps the final sync short. */
const SYNC_EVERY_MS = 5_000;
/** Files synced at once: each occupies a thread of libuv's pool, and the bytes of other uploads need one, too. */
const SYNCS_AT_ONCE = 2;

export type ProgressContext = Pick<RecordingContext, "db" | "events" | "clock" | "log" | "videoStore" | "leases">;

export interface NewRecording {
	organizationId: number;
	jobId: number | null;
	name: string;
	kind: RecordingKind;
	contentType: string;
	/** Labels, outcome and keep policy of an upload without a job. */
	keeping: UploadKeeping;
}

/** The columns that an index determines. */
export const contentOf = (video: GrowingVideo): StoredContent => ({
	bytes: video.bytes,
	downloadBytes: video.index.downloadBytes,
	durationSeconds: video.index.durationSeconds,
	width: video.index.width || null,
	height: video.index.height || null,
});

/** Writes the progress of all uploads of this process: one statement a second for all of them. */
export class ProgressWriter {
	readonly ctx: ProgressContext;
	readonly #onLoss: (uploadId: string) => void;
	#grown = new Map<RecordingProgress, GrowingVideo>();
	#writtenAt = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | null = null;
	#work: Promise<void> = Promise.resolve();
	/** Files that wait for a sync, and how many are being synced. */
	readonly #unsynced = new Set<string>();
	#syncing = 0;

	/** @param onLoss called when another dashboard was found to have continued an upload. */
	constructor(ctx: ProgressContext, onLoss: (uploadId: string) => void) {
		this.ctx = ctx;
		this.#onLoss = onLoss;
	}

	/** More bytes of an upload are stored. Returns at once. */
	grew(progress: RecordingProgress, video: GrowingVideo): void {
		this.#grown.set(progress, video);
		if (this.#timer !== null) return;
		const wait = Math.max(0, this.#writtenAt + WRITE_EVERY_MS - performance.now());
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.#work = this.#work
				.then(() => this.#write())
				.catch((error) => {
					this.ctx.log.warn({ err: error }, "could not write the progress of recordings");
				});
		}, wait).unref();
	}

	/** Writes what has grown, without waiting for its second. Call when the process stops. */
	async flush(): Promise<void> {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		await this.#work;
		await this.#write();
	}

	/** Stops updating an upload's row; from here on the caller writes it. */
	async end(progress: RecordingProgress): Promise<void> {
		this.#grown.delete(progress);
		await this.#work;
	}

	async #write(): Promise<void> {
		this.#writtenAt = performance.now();
		const grown = this.#grown;
		this.#grown = new Map();
		if (grown.size === 0) return;
		const now = this.ctx.clock.now();
		const byUploadId = new Map([...grown.keys()].map((progress) => [progress.uploadId, progress]));
		const { leases } = this.ctx;
		const content = [...grown].map(([{ uploadId }, video]) => ({
			uploadId,
			epoch: leases.epochOf(uploadId),
			...contentOf(video),
		}));
		const rows = await this.#update(JSON.stringify(content), now);
		if (rows.length < grown.size && leases.shared) await this.#findLosses([...byUploadId.keys()]);
		for (const row of rows) {
			const progress = byUploadId.get(row.uploadId);
			if (row.state === "partial") {
				// The job was lost, by another process if this one did not hear of it; but it gets bytes.
				progress?.mayHaveChanged();
				await progress?.began(grown.get(progress) as GrowingVideo);
			} else await publishRecording(this.ctx, row);
		}
		for (const [progress, video] of grown) {
			this.ctx.videoStore.grew(progress.uploadId, video.path, video.bytes);
			if (progress.needsSync()) this.#unsynced.add(video.path);
		}
		while (this.#syncing < SYNCS_AT_ONCE && this.#unsynced.size > 0) void this.#syncFiles();
	}

	async #update(content: string, now: number) {
		const { db } = this.ctx;
		const set = sql`update recording set bytes = v.bytes, "downloadBytes" = v."downloadBytes",
			"durationSeconds" = v."durationSeconds", width = v.width, height = v.height, "updatedAt" = ${now}`;
		const held = this.ctx.leases.stillHeld(sql`v."uploadId"`, sql`v.epoch`);
		const values =
			dialectOf(db) === "sqlite"
				? sql`(select value ->> 'uploadId' as "uploadId", value ->> 'bytes' as bytes,
						value ->> 'downloadBytes' as "downloadBytes", value ->> 'durationSeconds' as "durationSeconds",
						value ->> 'width' as width, value ->> 'height' as height from json_each(${content})) as v`
				: sql`json_to_recordset(${content}::json) as v("uploadId" text, epoch bigint, bytes bigint,
						"downloadBytes" bigint, "durationSeconds" double precision, width integer, height integer)`;

		const { rows } = await sql<Pick<RecordingRow, "id" | "organizationId" | "jobId" | "uploadId" | "state">>`
			${set} from ${values} where recording."uploadId" = v."uploadId" and recording.state <> 'ready'
				and recording."deletedAt" is null and ${held}
			returning recording.id, recording."organizationId", recording."jobId", recording."uploadId", recording.state
		`.execute(db);
		return rows;
	}

	/** Rows that were not written have ended, or belong to another dashboard. */
	async #findLosses(uploadIds: readonly string[]): Promise<void> {
		for (const uploadId of await this.ctx.leases.elsewhere(uploadIds)) this.#onLoss(uploadId);
	}

	async #syncFiles(): Promise<void> {
		this.#syncing += 1;
		try {
			for (const path of this.#unsynced) {
				this.#unsynced.delete(path);
				await syncFile(path);
			}
		} catch (error) {
			this.ctx.log.warn({ err: error }, "could not sync a recording's file to the disk");
		} finally {
			this.#syncing -= 1;
		}
	}
}

async function syncFile(path: string): Promise<void> {
	const handle = await open(path, "r+");
	try {
		await handle.datasync();
	} finally {
		await handle.close();
	}
}

export class RecordingProgress {
	readonly uploadId: string;
	readonly #writer: ProgressWriter;
	readonly #recording: NewRecording;
	#syncedAt = performance.now();
	/** Whether the row is known to say `live`, so that it need not be read before each piece. */
	#isLive = false;
	#over = false;

	constructor(writer: ProgressWriter, uploadId: string, recording: NewRecording) {
		this.#writer = writer;
		this.uploadId = uploadId;
		this.#recording = recording;
	}

	/** The first byte of a request is stored: the recording exists and is live (again). */
	async began(video: GrowingVideo): Promise<void> {
		if (this.#isLive) return;
		const { db, clock } = this.#writer.ctx;
		const known = await db
			.selectFrom("recording")
			.select(["state", "objectKey", "deletedAt"])
			.where("uploadId", "=", this.uploadId)
			.executeTakeFirst();
		if (known?.deletedAt != null) throw new Refusal(404, "This upload's recording was deleted.");
		const now = clock.now();
		let changed: Pick<RecordingRow, "id" | "organizationId" | "jobId"> | undefined;
		if (known === undefined) changed = await this.#insert(video, now);
		else if (known.state === "partial") changed = await this.#continue(known.objectKey, now);
		// Only now: if the database failed, the next request tries again.
		this.#isLive = known?.state !== "ready";
		if (changed !== undefined) await publishRecording(this.#writer.ctx, changed, { withJob: true });
	}

	/** The recording was partial, and continues as a file on this disk. */
	#continue(objectKey: string | null, now: number) {
		return inTransaction(this.#writer.ctx, async ({ db, clock }) => {
			const row = await db
				.updateTable("recording")
				.set({ state: "live", updatedAt: now, objectKey: null, objectHeaderBytes: null })
				.where("uploadId", "=", this.uploadId)
				.where("state", "=", "partial")
				.where("deletedAt", "is", null)
				.returning(["id", "organizationId", "jobId"])
				.executeTakeFirst();
			if (row !== undefined) await discardVideos({ db, clock }, [objectKey]);
			return row;
		});
	}

	async #insert(video: GrowingVideo, now: number) {
		const { ctx } = this.#writer;
		const { organizationId, jobId, name, kind, contentType } = this.#recording;
		const row = await inTransaction(ctx, async (ctx) =>
			ctx.db
				.insertInto("recording")
				.values({
					organizationId,
					jobId,
					name,
					kind,
					contentType,
					...contentOf(video),
					...(jobId === null ? await this.#fromMetadata(ctx) : await this.#fromJob(ctx, jobId, now)),
					state: "live",
					uploadId: this.uploadId,
					createdAt: now,
					updatedAt: now,
				})
				.onConflict((conflict) => conflict.column("uploadId").doNothing())
				.returning(["id", "organizationId", "jobId"])
				.executeTakeFirst(),
		);
		// Capture may have ended before the first byte arrived.
		if (row?.jobId != null) await storeVerdict(ctx, row.jobId);
		return row;
	}

	/** The upload's own labels, outcome and keep policy. Its deletion is scheduled at its end (finish-upload.ts). */
	async #fromMetadata(ctx: ProgressContext) {
		const { organizationId, keeping } = this.#recording;
		const { labels, outcome, keep } = keeping;
		const settings = await recordingSettings(ctx, organizationId);
		return { runnerId: null, ...labelColumns(labels), outcome, keep: keep ?? settings.keep };
	}

	/** The columns that the recording shares with its job. Locks the job, because another request may be changing both. */
	async #fromJob(ctx: ProgressContext, jobId: number, now: number) {
		const { organizationId } = this.#recording;
		await lockJob(ctx, jobId);
		const job = await ctx.db.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirst();
		if (job === undefined) return { runnerId: null };
		const settings = await recordingSettings(ctx, organizationId);
		const { runnerId, usedVideo: video } = job;
		return { runnerId, video, ...sharedColumnsOf(job), deleteAt: deleteAtOf(job, settings, now) };
	}

	/** More bytes are stored. Returns at once. */
	grew(video: GrowingVideo): void {
		if (!this.#over) this.#writer.grew(this, video);
	}

	/** The row's state may have changed: read it before the next piece. */
	mayHaveChanged(): void {
		this.#isLive = false;
	}

	/** Whether the file is to be synced again; true once for each period. */
	needsSync(): boolean {
		if (performance.now() - this.#syncedAt < SYNC_EVERY_MS) return false;
		this.#syncedAt = performance.now();
		return true;
	}

	/** Stops updating the row; from here on the caller writes it. */
	async end(): Promise<void> {
		this.#over = true;
		await this.#writer.end(this);
	}
}
