/** tus 1.0 on /v1/uploads: how videos are uploaded, by runners while they record, and by any tus client. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Server, type ServerOptions, type Upload } from "@tus/server";
import { EXPOSED_HEADERS } from "#lib/contract/headers.ts";
import { sanitizeName } from "#lib/contract/plain-text.ts";
import { MAX_NAME_LENGTH, RECORDING_HEADER, uploadRecordingQuerySchema } from "#lib/contract/recording.ts";
import { JOB_KEY_HEADER, SESSION_HEADER } from "#lib/contract/runner-protocol.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { objectFaultOf } from "#lib/objects/object-fault.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import type { RecordingContext } from "../recording-context.ts";
import { isDiskFull } from "../space/disk-space.ts";
import { fileTooLarge, maxUploadBytes } from "../space/storage-quota.ts";
import { jobIdOfUpload, type RunnerCall, uploadIdOfJob } from "./owner.ts";
import type { ProgressContext } from "./record-progress.ts";
import { UploadStore } from "./tus-store.ts";
import { ActiveUploads, DISK_FULL, UploadSession } from "./upload-session.ts";
import { refusedType } from "./video-type.ts";

export const UPLOADS_PATH = "/v1/uploads";
/** The only supported version of tus. */
const TUS_VERSION = "1.0.0";
/** The media type of what is appended. */
const CHUNK_TYPE = "application/offset+octet-stream";
/** Shorter than others should wait for the uploads of a dashboard that stops. */
const FLUSH_MS = 1_000;
/** How long a request that is asked to release its lock may keep writing. */
const DRAIN_MS = 150;
const REFUSED: Record<string, number> = { forbidden: 403, not_found: 404, conflict: 409, unavailable: 503 };

type TusRequest = Parameters<NonNullable<ServerOptions["onIncomingRequest"]>>[0];
/** A refusal as the tus library expects it. */
type Refusal = { status_code: number; body: string };
type ReceiverContext = ProgressContext & Pick<RecordingContext, "videoFiles" | "leases">;

export class UploadReceiver {
	readonly #ctx: ReceiverContext;
	readonly #files: VideoFiles;
	readonly #active: ActiveUploads;

	constructor(ctx: ReceiverContext) {
		this.#ctx = ctx;
		this.#files = ctx.videoFiles;
		this.#active = new ActiveUploads(ctx);
		this.#endWatchersOfLostJobs();
	}

	/**
	 * Closes the files of uploads in progress, after their rows and what was on its way to the bucket. Call when no request
	 * is left.
	 */
	async close(): Promise<void> {
		const flushed = this.#active.writer.flush().then(() => this.#ctx.videoStore.flush());
		// The database or the bucket may be away. What is not there comes again from the runners.
		await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })]).catch((error) =>
			this.#ctx.log.warn({ err: error }, "could not write the progress of recordings before stopping"),
		);
		await this.#active.pieces.closeAll();
	}

	/** Handles a tus request of an authenticated caller. */
	async receive(ctx: RecordingContext, req: IncomingMessage, res: ServerResponse): Promise<void> {
		normalizeType(req);
		const version = req.headers["tus-resumable"];
		if (version !== undefined && version !== TUS_VERSION && req.method !== "OPTIONS") {
			res.writeHead(412, { "content-type": "text/plain; charset=utf-8", "tus-version": TUS_VERSION });
			res.end(`Send Tus-Resumable: ${TUS_VERSION}.\n`);
			return;
		}
		const session = new UploadSession(this.#active, ctx, runnerCallOf(req));
		if (ctx.actor.kind === "runner" && (await this.#appendPiece(ctx, session, req, res))) return;
		await this.#serverFor(ctx, session, req).handle(req, res);
	}

	/** @returns false if the request is nothing for PieceAppender. */
	async #appendPiece(
		ctx: RecordingContext,
		session: UploadSession,
		req: IncomingMessage,
		res: ServerResponse,
	): Promise<boolean> {
		const uploadId = this.#active.pieces.uploadOf(req);
		if (uploadId === null) return false;
		try {
			return await this.#active.pieces.append(uploadId, session, req, res);
		} catch (error) {
			const { status_code, body } = this.#refusal(ctx, error as Error | Refusal);
			res.writeHead(status_code, { "content-type": "text/plain; charset=utf-8", "tus-resumable": TUS_VERSION });
			res.end(body);
			req.resume();
			return true;
		}
	}

	/** A tus server for this request only, so that its store knows the caller. */
	#serverFor(ctx: RecordingContext, session: UploadSession, { method }: IncomingMessage): Server {
		return new Server({
			path: UPLOADS_PATH,
			relativeLocation: true,
			// lib/server/cross-origin.ts says which origins may call. Of its headers, this server would replace one.
			allowedOrigins: [],
			exposedHeaders: EXPOSED_HEADERS,
			datastore: new UploadStore(session, { finishesLate: method === "HEAD" }),
			maxSize: maxUploadBytes(ctx),
			locker: this.#active.locks,
			lockDrainTimeout: DRAIN_MS,
			disableTerminationForFinishedUploads: true,
			getFileIdFromRequest: (req) => uploadIdIn(req),
			namingFunction: (_req, metadata) => nameUpload(metadata),
			// A creation is authorized later, with its metadata.
			onIncomingRequest: (req, uploadId) => (req.method === "POST" ? Promise.resolve() : session.authorize(uploadId)),
			onUploadCreate: (_req, upload) => create(session, upload),
			onUploadFinish: (_req, upload) => finish(session, upload),
			onResponseError: (_req, error) => this.#refusal(ctx, error),
		});
	}

	/** A lost job makes its recording partial, so its live viewers have seen all of it. */
	#endWatchersOfLostJobs(): void {
		this.#ctx.events.subscribe((change) => {
			if (change.type !== "job") return;
			this.#active.progress.get(uploadIdOfJob(change.jobId))?.mayHaveChanged();
			const video = this.#files.peek(uploadIdOfJob(change.jobId));
			if (video === null || video.final) return;
			this.#ctx.db
				.selectFrom("recording")
				.select(["id", "organizationId", "jobId", "state"])
				.where("uploadId", "=", uploadIdOfJob(change.jobId))
				.executeTakeFirst()
				.then(async (row) => {
					if (row?.state !== "partial") return;
					video.finish();
					await publishRecording(this.#ctx, row);
				})
				.catch((error) => this.#ctx.log.warn({ err: error }, "could not end the live views of a lost job's recording"));
		});
	}

	#refusal(ctx: RecordingContext, error: Error | Refusal): Refusal {
		if ("status_code" in error) return error.status_code === 413 ? fileTooLarge(ctx) : error;
		if (isTapedeckError(error) && REFUSED[error.code] !== undefined) {
			return { status_code: REFUSED[error.code] as number, body: `${error.message}\n` };
		}
		if (objectFaultOf(error) === "full") {
			return {
				status_code: 507,
				body: "The dashboard's object storage is full. Finish the upload once there is space.\n",
			};
		}
		if (isDiskFull(error)) return DISK_FULL;
		this.#ctx.log.error({ err: error }, "an upload failed");
		return { status_code: 500, body: "Internal error. Get the offset with HEAD and continue there.\n" };
	}
}

/** Media types have no case, but the tus library compares them as they are, and reads them from the raw headers. */
function normalizeType({ headers, rawHeaders }: IncomingMessage): void {
	const type = headers["content-type"];
	if (type === CHUNK_TYPE || type?.split(";")[0]?.trim().toLowerCase() !== CHUNK_TYPE) return;
	headers["content-type"] = CHUNK_TYPE;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		if (rawHeaders[at]?.toLowerCase() === "content-type") rawHeaders[at + 1] = CHUNK_TYPE;
	}
}

/** @throws a refusal for invalid metadata, and for callers who may not upload. */
async function create(session: UploadSession, upload: Upload): Promise<{ metadata: Upload["metadata"] }> {
	const { jobId, filetype, name, filename } = upload.metadata ?? {};
	const refused = refusedType(filetype, "filetype");
	if (refused !== null) throw { status_code: 415, body: `${refused}\n` };
	if (typeof jobId !== "string") {
		if (upload.size === 0) throw { status_code: 422, body: "An empty file is not a video.\n" };
		const valid = uploadName(name, filename);
		await session.claim(upload.id, null);
		return { metadata: keptMetadata(upload, valid) };
	}
	const jobName = await session.claim(upload.id, Number(jobId));
	// An invalid name must not cost a recording.
	const validName = sanitizeName(name ?? "", MAX_NAME_LENGTH) || (jobName ?? "");
	return { metadata: keptMetadata(upload, validName) };
}

/** The longest value that is kept of metadata that nothing else limits. */
const MAX_METADATA_VALUE = 255;

/** What is read later, or returned by HEAD: clients may send any keys, of any size. */
function keptMetadata({ metadata }: Upload, name: string): Record<string, string | null> {
	const kept: Record<string, string | null> = { name };
	for (const key of ["filename", "filetype", "jobId"]) {
		const value = metadata?.[key];
		if (value != null && value.length <= MAX_METADATA_VALUE) kept[key] = value;
	}
	return kept;
}

/** Returns the recording's id in the response for a file without a job: nothing else leads from the upload to it. */
async function finish(session: UploadSession, upload: Upload): Promise<{ headers?: Record<string, string> }> {
	const recordingId = await session.finish(upload);
	if (recordingId === null || jobIdOfUpload(upload.id) !== null) return {};
	return { headers: { [RECORDING_HEADER]: String(recordingId) } };
}

const runnerCallOf = ({ headers }: IncomingMessage): RunnerCall => ({
	sessionId: headerOf(headers[SESSION_HEADER]),
	jobKey: headerOf(headers[JOB_KEY_HEADER]),
});

const headerOf = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);

/** The upload of the job in `Upload-Metadata`; null if it names none. */
export function jobOfMetadata(header: string | string[] | undefined): { uploadId: string } | null {
	const jobId = /(?:^|,)\s*jobId ([A-Za-z0-9+/=]{1,32})/.exec(String(header ?? ""))?.[1];
	const digits = Buffer.from(jobId ?? "", "base64").toString();
	return /^[1-9]\d{0,15}$/.test(digits) ? { uploadId: uploadIdOfJob(Number(digits)) } : null;
}

/** The upload's name: derived from its job, or random. @throws a refusal for an invalid jobId. */
function nameUpload(metadata: Record<string, string | null> | undefined): string {
	const jobId = metadata?.jobId;
	if (jobId === undefined || jobId === null) return randomBytes(16).toString("hex");
	if (!/^[1-9]\d{0,15}$/.test(jobId) || !Number.isSafeInteger(Number(jobId))) {
		throw { status_code: 400, body: "Send jobId in Upload-Metadata as a job's id, or leave it out.\n" };
	}
	return uploadIdOfJob(Number(jobId));
}

/**
 * The name of a video without a job, otherwise that of its file, which nobody chose for us and which is made to fit.
 * @throws a refusal for an invalid name.
 */
function uploadName(name: string | null | undefined, filename: string | null | undefined): string {
	if (name == null || name.trim() === "") {
		return sanitizeName((filename ?? "").split(/[/\\]/).at(-1) ?? "", MAX_NAME_LENGTH) || "Upload";
	}
	const { data, error } = uploadRecordingQuerySchema.shape.name.safeParse(name);
	if (data !== undefined) return data;
	const message = error?.issues[0]?.message.replace("?name=…", "name in Upload-Metadata");
	throw { status_code: 422, body: `${message}\n` };
}

function uploadIdIn(req: TusRequest): string | undefined {
	const last = new URL(req.url, "http://localhost").pathname.split("/").at(-1) ?? "";
	return /^[a-z0-9-]{1,64}$/.test(last) ? last : undefined;
}
