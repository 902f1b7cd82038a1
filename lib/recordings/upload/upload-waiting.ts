/** Notes in a job's history when its upload starts to wait for storage and when it continues, once each time. */
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import type { WaitsFor } from "@tapedeck/contract/storage.ts";
import type { Context } from "#lib/core/context.ts";
import { addJobEvent, type NewJobEvent } from "#lib/lifecycle/job-store.ts";
import { needsOperator, objectFaultOf } from "#lib/s3/object-fault.ts";
import { isDiskFull } from "../space/disk-space.ts";
import { isQuotaExceeded } from "../space/storage-quota.ts";
import { jobIdOfUpload } from "./owner.ts";
import { Refusal } from "./tus-handler.ts";

const REASONS: Record<WaitsFor, string> = {
	disk: "The dashboard's disk is full.",
	quota: "The organization has reached its storage quota.",
	bucket: "The dashboard's object storage is full or refuses the video.",
};

export const diskFull = () =>
	new Refusal(507, "The dashboard's disk is full. Continue the upload once there is space.");

type WaitingContext = Pick<Context, "db" | "events" | "clock" | "log">;

export class UploadWaiting {
	readonly #ctx: WaitingContext;
	/** Whether each job's upload waits, as far as this process knows; the job's history is authoritative. */
	readonly #waiting = new Map<number, Promise<boolean>>();

	constructor(ctx: WaitingContext) {
		this.#ctx = ctx;
	}

	/**
	 * Runs work of an upload that needs storage. If there is none, the job's history says so.
	 * @throws a refusal with 507; what the work throws for any other reason.
	 */
	async run<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const objectFault = objectFaultOf(error);
			if (objectFault !== null) {
				if (needsOperator(objectFault)) await this.#begins(uploadId, "bucket");
				throw error;
			}
			if (isDiskFull(error)) {
				await this.#begins(uploadId, "disk");
				throw diskFull();
			}
			if (!isQuotaExceeded(error)) throw error;
			await this.#begins(uploadId, "quota");
			throw new Refusal(507, (error as Error).message);
		}
	}

	async #begins(uploadId: string, waitsFor: WaitsFor): Promise<void> {
		const jobId = jobIdOfUpload(uploadId);
		if (jobId === null) return;
		await this.#becomes(jobId, true, {
			type: UPLOAD_WAITING,
			message: `${REASONS[waitsFor]} The upload is waiting; the runner keeps the video and sends it once it can be stored.`,
			data: { waitsFor },
		});
	}

	/** The job's bytes are stored (again). Never throws. */
	async ends(jobId: number): Promise<void> {
		await this.#becomes(jobId, false, {
			type: UPLOAD_GOES_ON,
			message: "Space is available again. The upload continues.",
		});
	}

	/** The job's upload has ended. */
	forget(jobId: number): void {
		this.#waiting.delete(jobId);
	}

	async #becomes(jobId: number, waiting: boolean, event: NewJobEvent): Promise<void> {
		const before = this.#waiting.get(jobId) ?? this.#read(jobId);
		const turn = before
			.then(async (waited) => {
				if (waited !== waiting) await this.#note(jobId, event);
				return waiting;
			})
			.catch((error) => {
				this.#ctx.log.warn(
					{ err: error, jobId },
					"could not record in a job's history whether its upload waits for storage",
				);
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

	async #note(jobId: number, event: NewJobEvent): Promise<void> {
		const job = await this.#ctx.db
			.selectFrom("job")
			.select(["organizationId", "runnerId"])
			.where("id", "=", jobId)
			.executeTakeFirst();
		if (job === undefined) return;
		await addJobEvent(this.#ctx, jobId, event);
		this.#ctx.events.publish({ type: "job", ...job, jobId });
	}
}
