/** Updates a recording's row as its file grows: at the first byte, about once a second, and at the end. */
import { open } from "node:fs/promises";
import type { Context } from "#lib/core/context.ts";
import { publishRecording, type StoredContent } from "#lib/lifecycle/recording-store.ts";
import { storeVerdict } from "#lib/lifecycle/verdict.ts";
import type { GrowingVideo } from "#lib/media/growing-video.ts";

const WRITE_EVERY_MS = 1_000;
/** Bounds what a machine crash can lose, and keeps the final sync short. */
const SYNC_EVERY_MS = 5_000;

export type ProgressContext = Pick<Context, "db" | "events" | "clock" | "log">;

export interface NewRecording {
	organizationId: number;
	jobId: number | null;
	name: string;
	contentType: string;
}

/** The columns that an index determines. */
export const contentOf = (video: GrowingVideo): StoredContent => ({
	bytes: video.bytes,
	downloadBytes: video.index.downloadBytes,
	durationSeconds: video.index.durationSeconds,
	width: video.index.width || null,
	height: video.index.height || null,
});

export class RecordingProgress {
	#ctx: ProgressContext;
	#uploadId: string;
	#recording: NewRecording;
	#writtenAt = Number.NEGATIVE_INFINITY;
	#syncedAt = performance.now();
	#timer: NodeJS.Timeout | null = null;
	#work: Promise<void> = Promise.resolve();
	#over = false;

	constructor(ctx: ProgressContext, uploadId: string, recording: NewRecording) {
		this.#ctx = ctx;
		this.#uploadId = uploadId;
		this.#recording = recording;
	}

	/** The first byte of a request is stored: the recording exists and is live (again). */
	async began(video: GrowingVideo): Promise<void> {
		const { db, clock } = this.#ctx;
		const known = await db
			.selectFrom("recording")
			.select("state")
			.where("uploadId", "=", this.#uploadId)
			.executeTakeFirst();
		if (known !== undefined && known.state !== "partial") return;
		const now = clock.now();
		const changed =
			known === undefined
				? await this.#insert(video, now)
				: await db
						.updateTable("recording")
						.set({ state: "live", updatedAt: now })
						.where("uploadId", "=", this.#uploadId)
						.where("state", "=", "partial")
						.returning(["id", "organizationId", "jobId"])
						.executeTakeFirst();
		if (changed !== undefined) await publishRecording(this.#ctx, changed, { withJob: true });
	}

	async #insert(video: GrowingVideo, now: number) {
		this.#writtenAt = performance.now();
		const { jobId } = this.#recording;
		const row = await this.#ctx.db
			.insertInto("recording")
			.values(({ selectFrom }) => ({
				...this.#recording,
				...contentOf(video),
				runnerId: jobId === null ? null : selectFrom("job").select("runnerId").where("id", "=", jobId),
				state: "live",
				uploadId: this.#uploadId,
				pinned: 0,
				createdAt: now,
				updatedAt: now,
			}))
			.onConflict((conflict) => conflict.column("uploadId").doNothing())
			.returning(["id", "organizationId", "jobId"])
			.executeTakeFirst();
		// Capture may have ended before the first byte arrived.
		if (row?.jobId != null) await storeVerdict(this.#ctx, row.jobId);
		return row;
	}

	/** More bytes are stored. Returns at once. */
	grew(video: GrowingVideo): void {
		if (this.#timer !== null || this.#over) return;
		const wait = Math.max(0, this.#writtenAt + WRITE_EVERY_MS - performance.now());
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.#work = this.#write(video).catch((error) => {
				this.#ctx.log.warn({ err: error, uploadId: this.#uploadId }, "could not write a recording's progress");
			});
		}, wait);
		this.#timer.unref();
	}

	/** Stops updating the row; from here on the caller writes it. */
	async end(): Promise<void> {
		this.#over = true;
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		await this.#work;
	}

	async #write(video: GrowingVideo): Promise<void> {
		this.#writtenAt = performance.now();
		const row = await this.#ctx.db
			.updateTable("recording")
			.set({ ...contentOf(video), updatedAt: this.#ctx.clock.now() })
			.where("uploadId", "=", this.#uploadId)
			.where("state", "!=", "ready")
			.returning(["id", "organizationId", "jobId"])
			.executeTakeFirst();
		if (row !== undefined) await publishRecording(this.#ctx, row);
		if (performance.now() - this.#syncedAt < SYNC_EVERY_MS) return;
		this.#syncedAt = performance.now();
		const handle = await open(video.path, "r+");
		try {
			await handle.datasync();
		} finally {
			await handle.close();
		}
	}
}
