/** tus 1.0 on /v1/uploads: how videos arrive, from runners while they record, and from any tus client. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server, type ServerOptions, type Upload } from "@tus/server";
import { fittingName } from "../contract/plain-text.ts";
import { MAX_NAME_LENGTH, RECORDING_HEADER, uploadRecordingQuerySchema, VIDEO_TYPES } from "../contract/recording.ts";
import { JOB_KEY_HEADER, SESSION_HEADER } from "../contract/runner-protocol.ts";
import type { Context } from "../core/context.ts";
import { isTapedeckError } from "../core/errors.ts";
import { isDiskFull, roomOf } from "./disk-room.ts";
import { finishUpload } from "./upload/finish-upload.ts";
import { holdRoom, releaseRoom, roomTaker } from "./organization-room.ts";
import { type ProgressContext, RecordingProgress } from "./upload/record-progress.ts";
import { publishRecording } from "../lifecycle/recording-store.ts";
import { fileTooLarge, maxUploadBytes } from "./upload-limit.ts";
import { UploadLocks } from "./upload/tus-locker.ts";
import { assertOwns, jobIdOfUpload, ownerOf, ownerOfJob, uploadIdOfJob } from "./upload/owner.ts";
import { UploadRecords } from "./upload-records.ts";
import { NO_ROOM, UploadStore } from "./upload-store.ts";
import { UploadWaits } from "./upload-waits.ts";
import { shelfOf, type VideoShelf } from "./playback/video-files.ts";

export const UPLOADS_PATH = "/v1/uploads";
/** The only version of tus that is understood. */
const TUS_VERSION = "1.0.0";
/** How long a request that is asked for its lock may still write. */
const DRAIN_MS = 150;
const REFUSED = { forbidden: 403, not_found: 404, conflict: 409 } as Record<string, number>;

type TusRequest = Parameters<NonNullable<ServerOptions["onIncomingRequest"]>>[0];
/** The request that is being answered. */
type Call = { ctx: Context; method: string };
type ReceiverContext = ProgressContext & Pick<Context, "videosDir" | "diskReserveBytes">;

export class UploadReceiver {
	#ctx: ReceiverContext;
	#shelf: VideoShelf;
	#records: UploadRecords;
	#tus: Server;
	#call = new AsyncLocalStorage<Call>();
	#progress = new Map<string, RecordingProgress>();
	#waits: UploadWaits;

	constructor(ctx: ReceiverContext) {
		this.#ctx = ctx;
		this.#shelf = shelfOf(ctx);
		this.#waits = new UploadWaits(ctx);
		this.#records = new UploadRecords(this.#shelf);
		this.#tus = new Server({
			path: UPLOADS_PATH,
			relativeLocation: true,
			// No address but our own may call from a browser.
			allowedOrigins: [],
			datastore: new UploadStore(this.#shelf, this.#records, roomOf(ctx), {
				holdRoom: (uploadId, bytes) => holdRoom(this.#callerNow(), uploadId, bytes),
				roomTaker: (uploadId) => roomTaker(this.#callerNow(), uploadId),
				waits: (uploadId, waitsFor) => this.#onJobOf(uploadId, (jobId) => this.#waits.waits(jobId, waitsFor)),
				goesOn: (uploadId) => this.#onJobOf(uploadId, (jobId) => this.#waits.goesOn(jobId)),
				progressOf: (uploadId) => this.#progressOf(uploadId),
				asked: (uploadId) => this.#finishLate(uploadId),
				removed: (uploadId) => this.#removed(uploadId),
				hasRecording: async (uploadId) => (await this.#rowOf(uploadId)) !== undefined,
			}),
			maxSize: () => maxUploadBytes(this.#callerNow()),
			locker: new UploadLocks(),
			lockDrainTimeout: DRAIN_MS,
			disableTerminationForFinishedUploads: true,
			getFileIdFromRequest: (req) => uploadIdIn(req),
			namingFunction: (_req, metadata) => nameUpload(metadata),
			onIncomingRequest: (req, uploadId) => this.#admit(req, uploadId),
			onUploadCreate: (req, upload) => this.#create(req, upload),
			onUploadFinish: (_req, upload) => this.#finish(upload),
			onResponseError: (_req, error) => this.#refusal(error),
		});
		this.#endWatchersOfLostJobs();
	}

	/** Answers one tus request of someone who is signed in. */
	async receive(ctx: Context, req: IncomingMessage, res: ServerResponse): Promise<void> {
		const version = req.headers["tus-resumable"];
		if (version !== undefined && version !== TUS_VERSION && req.method !== "OPTIONS") {
			res.writeHead(412, { "content-type": "text/plain; charset=utf-8", "tus-version": TUS_VERSION });
			res.end(`Send Tus-Resumable: ${TUS_VERSION}.\n`);
			return;
		}
		await this.#call.run({ ctx, method: req.method ?? "" }, () => this.#tus.handle(req, res));
	}

	#callNow(): Call {
		const call = this.#call.getStore();
		if (call === undefined) throw new Error("a tus hook ran outside of a request");
		return call;
	}

	#callerNow(): Context {
		return this.#callNow().ctx;
	}

	async #admit(req: TusRequest, uploadId: string): Promise<void> {
		// A creation is judged with its metadata.
		if (req.method === "POST") return;
		const ctx = this.#callerNow();
		const upload = await this.#records.get(uploadId);
		await assertOwns(ctx, runnerCallOf(req), upload?.owner);
	}

	async #create(req: TusRequest, upload: Upload): Promise<{ metadata?: Upload["metadata"] }> {
		const ctx = this.#callerNow();
		const { jobId, filetype, name } = upload.metadata ?? {};
		if (typeof filetype === "string" && !(VIDEO_TYPES as readonly string[]).includes(filetype)) {
			throw { status_code: 415, body: `Send filetype as ${VIDEO_TYPES.join(" or ")}.\n` };
		}
		if (upload.size === 0) throw { status_code: 422, body: "An empty file is no video.\n" };
		if (typeof jobId !== "string") {
			const named = uploadName(name);
			const owner = ownerOf(ctx);
			this.#records.claim(upload.id, owner);
			return { metadata: { ...upload.metadata, name: named } };
		}
		const { owner, jobName } = await ownerOfJob(ctx, runnerCallOf(req), Number(jobId));
		this.#records.claim(upload.id, owner);
		this.#forgetProgress(upload.id);
		// A recording is not to be lost for its name.
		return { metadata: { ...upload.metadata, name: fittingName(name ?? "", MAX_NAME_LENGTH) || jobName } };
	}

	/** Answers a file without a job with the id of its recording: nothing else leads from the upload to it. */
	async #finish(upload: Upload): Promise<{ headers?: Record<string, string> }> {
		const owner = (await this.#records.get(upload.id))?.owner;
		const empty = upload.offset === 0;
		if (!empty && (await this.#finishNow(this.#callerNow(), upload.id, owner?.jobId ?? null))) {
			return owner?.jobId == null ? { headers: await this.#recordingHeader(upload.id) } : {};
		}
		if (!empty && owner?.jobId != null) return {};
		await this.#removed(upload.id);
		throw {
			status_code: 422,
			body: "The file is not an MP4 or WebM with a video that plays. Nothing of it was kept.\n",
		};
	}

	async #recordingHeader(uploadId: string): Promise<Record<string, string>> {
		const row = await this.#rowOf(uploadId);
		return row === undefined ? {} : { [RECORDING_HEADER]: String(row.id) };
	}

	#rowOf(uploadId: string): Promise<{ id: number } | undefined> {
		return this.#ctx.db.selectFrom("recording").select("id").where("uploadId", "=", uploadId).executeTakeFirst();
	}

	/**
	 * Finishes an upload whose last bytes were stored and whose number was told by a request that broke off just then.
	 * Whoever asks for the offset is about to hear that it is whole, and will not come again.
	 */
	async #finishLate(uploadId: string): Promise<void> {
		const { ctx, method } = this.#callNow();
		if (method !== "HEAD") return;
		const size = (await this.#records.get(uploadId))?.size;
		if (size === undefined) return;
		const recording = await ctx.db
			.selectFrom("recording")
			.select(["state", "jobId"])
			.where("uploadId", "=", uploadId)
			.executeTakeFirst();
		if (recording === undefined || recording.state === "ready") return;
		const bytes = await this.#shelf.use(uploadId, true, async (video) => video.bytes);
		if (bytes === size) await this.#finishNow(ctx, uploadId, recording.jobId);
	}

	async #finishNow(ctx: Context, uploadId: string, jobId: number | null): Promise<boolean> {
		await this.#progress.get(uploadId)?.end();
		this.#progress.delete(uploadId);
		if (jobId !== null) this.#waits.forget(jobId);
		return finishUpload(ctx, uploadId, jobId);
	}

	async #progressOf(uploadId: string): Promise<RecordingProgress> {
		const known = this.#progress.get(uploadId);
		if (known !== undefined) return known;
		const upload = await this.#records.get(uploadId);
		if (upload?.owner === undefined) throw new Error(`the upload ${uploadId} has no owner`);
		const progress = new RecordingProgress(this.#ctx, uploadId, {
			organizationId: upload.owner.organizationId,
			jobId: upload.owner.jobId,
			name: upload.metadata?.name ?? "Upload",
			contentType: upload.metadata?.filetype ?? "video/mp4",
		});
		this.#progress.set(uploadId, progress);
		return progress;
	}

	#forgetProgress(uploadId: string): void {
		void this.#progress.get(uploadId)?.end();
		this.#progress.delete(uploadId);
	}

	/** What an upload's job is told; nothing for a video without one. */
	async #onJobOf(uploadId: string, tell: (jobId: number) => Promise<void>): Promise<void> {
		const jobId = jobIdOfUpload(uploadId);
		if (jobId !== null) await tell(jobId);
	}

	async #removed(uploadId: string): Promise<void> {
		this.#forgetProgress(uploadId);
		await releaseRoom(this.#callerNow(), uploadId);
		const row = await this.#ctx.db
			.deleteFrom("recording")
			.where("uploadId", "=", uploadId)
			.returning(["id", "organizationId", "jobId"])
			.executeTakeFirst();
		await this.#shelf.remove(uploadId);
		if (row !== undefined) await publishRecording(this.#ctx, row, { deleted: true, withJob: true });
	}

	/** A job that was given up makes its recording partial: those who watch it live have seen it all. */
	#endWatchersOfLostJobs(): void {
		this.#ctx.facts.subscribe((fact) => {
			if (fact.type !== "job") return;
			const video = this.#shelf.peek(uploadIdOfJob(fact.jobId));
			if (video === null || video.final) return;
			this.#ctx.db
				.selectFrom("recording")
				.select(["id", "organizationId", "jobId", "state"])
				.where("uploadId", "=", uploadIdOfJob(fact.jobId))
				.executeTakeFirst()
				.then(async (row) => {
					if (row?.state !== "partial") return;
					video.finish();
					await publishRecording(this.#ctx, row);
				})
				.catch((error) => this.#ctx.log.warn({ err: error }, "a lost job's recording could not be looked at"));
		});
	}

	#refusal(error: Error | { status_code: number; body: string }): { status_code: number; body: string } {
		if ("status_code" in error) return error.status_code === 413 ? fileTooLarge(this.#callerNow()) : error;
		if (isTapedeckError(error) && REFUSED[error.code] !== undefined) {
			return { status_code: REFUSED[error.code] as number, body: `${error.message}\n` };
		}
		if (isDiskFull(error)) return NO_ROOM;
		this.#ctx.log.error({ err: error }, "an upload failed");
		return { status_code: 500, body: "Something broke on our side. Ask for the offset with HEAD and go on.\n" };
	}
}

const runnerCallOf = ({ headers }: TusRequest) => ({
	sessionId: headers.get(SESSION_HEADER),
	jobKey: headers.get(JOB_KEY_HEADER),
});

/** The upload's name: a job's follows from the job, any other is made up. @throws a refusal for a jobId that is none. */
function nameUpload(metadata: Record<string, string | null> | undefined): string {
	const jobId = metadata?.jobId;
	if (jobId === undefined || jobId === null) return randomBytes(16).toString("hex");
	if (!/^[1-9]\d{0,15}$/.test(jobId) || !Number.isSafeInteger(Number(jobId))) {
		throw { status_code: 400, body: "Send jobId in Upload-Metadata as a job's id, or leave it out.\n" };
	}
	return uploadIdOfJob(Number(jobId));
}

/** The name of a video without a job. @throws a refusal for one that is no name. */
function uploadName(told: string | null | undefined): string {
	if (told == null || told.trim() === "") return "Upload";
	const { data, error } = uploadRecordingQuerySchema.shape.name.safeParse(told);
	if (data !== undefined) return data;
	const message = error?.issues[0]?.message.replace("?name=…", "name in Upload-Metadata");
	throw { status_code: 422, body: `${message}\n` };
}

function uploadIdIn(req: TusRequest): string | undefined {
	const last = new URL(req.url, "http://localhost").pathname.split("/").at(-1) ?? "";
	return /^[a-z0-9-]{1,64}$/.test(last) ? last : undefined;
}
