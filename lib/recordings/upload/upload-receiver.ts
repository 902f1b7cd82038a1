/** Uploads by tus: how videos get here, from runners while they record, and from any tus client. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { JOB_KEY_HEADER, SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { objectFaultOf } from "#lib/s3/object-fault.ts";
import type { RecordingContext } from "../recording-context.ts";
import { isDiskFull } from "../space/disk-space.ts";
import { fileTooLargeMessage } from "../space/storage-quota.ts";
import type { RunnerCall } from "./owner.ts";
import { answerRefusal, handleTus, Refusal } from "./tus-handler.ts";
import { UploadSession } from "./upload-session.ts";
import { diskFull } from "./upload-waiting.ts";
import { type UploadsContext, UploadsInProgress } from "./uploads-in-progress.ts";

/** Shorter than others should wait for the uploads of a dashboard that stops. */
const FLUSH_MS = 1_000;
const REFUSED: Record<string, number> = {
	forbidden: 403,
	not_found: 404,
	conflict: 409,
	payload_too_large: 413,
	validation_failed: 422,
	unavailable: 503,
};
const BUCKET_FULL = "The dashboard's object storage is full. Finish the upload once there is space.";

export class UploadReceiver {
	readonly #ctx: UploadsContext;
	readonly #uploads: UploadsInProgress;

	constructor(ctx: UploadsContext) {
		this.#ctx = ctx;
		this.#uploads = new UploadsInProgress(ctx);
	}

	/** Handles a tus request of an authenticated caller. */
	async receive(ctx: RecordingContext, req: IncomingMessage, res: ServerResponse): Promise<void> {
		try {
			const session = new UploadSession(this.#uploads, ctx, runnerCallOf(req));
			await handleTus(session, this.#uploads.locks, req, res);
		} catch (error) {
			answerRefusal(this.#refusal(ctx, error), req, res);
		}
	}

	/**
	 * Closes the files of uploads in progress, after their rows and what was on its way to the bucket. Call when no request
	 * is left.
	 */
	async close(): Promise<void> {
		const flushed = this.#uploads.flush().then(() => this.#ctx.videoStore.flush());
		// The database or the bucket may be away. What is not there comes again from the runners.
		await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })]).catch((error) =>
			this.#ctx.log.warn({ err: error }, "could not write the progress of recordings before stopping"),
		);
		await this.#uploads.close();
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
