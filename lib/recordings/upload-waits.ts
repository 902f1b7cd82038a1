/** Tells in a job's history that its upload waits for room, and that it goes on: once each time. */

import type { WaitsFor } from "../contract/storage.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "../contract/upload-events.ts";
import type { Context } from "../core/context.ts";
import { addJobEvent, type NewJobEvent } from "../lifecycle/job-store.ts";

const WHY: Record<WaitsFor, string> = {
	disk: "The dashboard's disk is full.",
	quota: "The organization's recordings take all the room that they may.",
};

type WaitsContext = Pick<Context, "db" | "facts" | "clock" | "log">;

export class UploadWaits {
	readonly #ctx: WaitsContext;
	/** Whether each job's upload waits, as far as it is known in this process; the history knows it for good. */
	readonly #waiting = new Map<number, Promise<boolean>>();

	constructor(ctx: WaitsContext) {
		this.#ctx = ctx;
	}

	/** There is no room for the job's bytes: on the disk, or in what its organization may have. Never throws. */
	async waits(jobId: number, waitsFor: WaitsFor): Promise<void> {
		await this.#becomes(jobId, true, {
			type: UPLOAD_WAITING,
			message: `${WHY[waitsFor]} The upload waits; the runner keeps the video and sends it when there is room.`,
			data: { waitsFor },
		});
	}

	/** The job's bytes are stored (again). Never throws. */
	async goesOn(jobId: number): Promise<void> {
		await this.#becomes(jobId, false, {
			type: UPLOAD_GOES_ON,
			message: "There is room again. The upload goes on.",
		});
	}

	/** The job's upload is over. */
	forget(jobId: number): void {
		this.#waiting.delete(jobId);
	}

	async #becomes(jobId: number, waiting: boolean, event: NewJobEvent): Promise<void> {
		const before = this.#waiting.get(jobId) ?? this.#read(jobId);
		const turn = before
			.then(async (waited) => {
				if (waited !== waiting) await this.#tell(jobId, event);
				return waiting;
			})
			.catch((error) => {
				this.#ctx.log.warn({ err: error, jobId }, "it could not be told whether an upload waits for room");
				return !waiting;
			});
		this.#waiting.set(jobId, turn);
		await turn;
	}

	async #read(jobId: number): Promise<boolean> {
		const last = await this.#ctx.db
			.selectFrom("jobEvent")
			.select("type")
			.where("jobId", "=", jobId)
			.where("type", "in", [UPLOAD_WAITING, UPLOAD_GOES_ON])
			.orderBy("id", "desc")
			.limit(1)
			.executeTakeFirst();
		return last?.type === UPLOAD_WAITING;
	}

	async #tell(jobId: number, event: NewJobEvent): Promise<void> {
		const job = await this.#ctx.db
			.selectFrom("job")
			.select(["organizationId", "runnerId"])
			.where("id", "=", jobId)
			.executeTakeFirst();
		if (job === undefined) return;
		await addJobEvent(this.#ctx, jobId, event);
		this.#ctx.facts.publish({ type: "job", ...job, jobId });
	}
}
