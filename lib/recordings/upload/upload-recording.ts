/** `POST /v1/recordings`: uploads a video or another file. The request body is the file. */
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Recording, UploadQuery } from "@tapedeck/contract/recording.ts";
import type { Keep, Outcome, RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import type { VideoInfo } from "@tapedeck/media/sniff-video.ts";
import { assertCapable } from "#lib/core/capabilities.ts";
import { inTransaction } from "#lib/core/context.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { syncFolder } from "#lib/core/sync-folder.ts";
import { deleteAtOf, labelColumns, recordingSettings } from "#lib/lifecycle/labels.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { updateResultsOfUpload } from "#lib/test-results/store/implied-results.ts";
import { ownedByRun, ownedByUpload } from "#lib/test-results/store/result-owner.ts";
import { publishResults } from "#lib/test-results/store/result-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { recordingView } from "../recording-view.ts";
import { assertFileSize, releaseQuota } from "../space/storage-quota.ts";
import { inspectFile, NO_IMAGE, refusedFile } from "./file-kind.ts";
import { auditUpload } from "./finish-upload.ts";
import { receiveBody } from "./receive-body.ts";
import {
	assertPast,
	assertShows,
	attachVideo,
	findShownResult,
	lockShownResult,
	type ShownResult,
} from "./video-of-result.ts";
import { inspectVideo, whyNoVideo } from "./video-type.ts";

const INCOMPLETE = "The body is not a complete MP4 or WebM video. Send the whole file as the body.";
const UNDECODABLE =
	"No frame of this video can be decoded. Send an MP4 with H.264, H.265 or AV1, or a WebM with VP8, VP9 or AV1, that plays in a browser.";

const noAttachment = (): TapedeckError =>
	invalid({
		path: "kind",
		code: "custom",
		message: "Only a video is sent with testResultId. Send other files of a result to POST /v1/tests/{id}/attachments.",
	});

/**
 * Stores the request's body if it is a file of its kind. An upload that breaks off or isn't one leaves nothing.
 *
 * @throws forbidden for an API key that may not upload; not_found and conflict for its test result; validation_failed; unsupported_media_type; invalid_video; bad_request if the body broke off;
 *   payload_too_large; insufficient_storage; quota_exceeded.
 */
export async function uploadRecording(
	ctx: RecordingContext,
	query: UploadQuery,
	req: IncomingMessage,
): Promise<Recording> {
	assertCapable(ctx, "upload");
	const { kind } = query;
	const type = req.headers["content-type"];
	const refused = refusedFile(kind, type, "Content-Type");
	if (refused !== null) throw new TapedeckError("unsupported_media_type", refused);
	const shown = query.testResultId === undefined ? null : await findShownResult(ctx, query.testResultId);
	if (shown !== null && kind !== "video") throw noAttachment();
	assertPast(ctx, query.startedAt);
	const uploadId = randomBytes(16).toString("hex");
	const files = ctx.videoFiles;
	const part = files.unvalidatedPathOf(uploadId);
	try {
		await receiveBody(ctx, req, { path: part, uploadId, assertSize: (bytes) => assertFileSize(ctx, bytes) });
		const video = await inspectAndSync(ctx, part, { kind, type });
		if (video === null) {
			const why = kind === "video" ? await whyNoVideo(part, INCOMPLETE) : NO_IMAGE;
			throw new TapedeckError("invalid_video", why);
		}
		if (kind === "video" && (await ctx.frameGrabber.isUndecodable(ctx, part, video.contentType)))
			throw new TapedeckError("invalid_video", UNDECODABLE);
		const createdAt = query.startedAt ?? shown?.startedAt ?? null;
		if (shown !== null && createdAt !== null) assertShows(shown, createdAt, video.durationSeconds);
		await rename(part, files.pathOf(uploadId));
		await syncFolder(files.dir);
		return await store(ctx, uploadId, query, { ...video, createdAt, shown });
	} catch (error) {
		await rm(part, { force: true });
		throw error;
	} finally {
		await releaseQuota(ctx, uploadId);
	}
}

type InspectedFile = Omit<VideoInfo, "contentType"> & { contentType: string; bytes: number };

async function inspectAndSync(
	ctx: RecordingContext,
	path: string,
	{ kind, type }: { kind: RecordingKind; type: string | undefined },
): Promise<InspectedFile | null> {
	const handle = await open(path, "r+");
	try {
		const { size } = await handle.stat();
		const file = kind === "video" ? null : await inspectFile(kind, type, handle, size);
		const video = kind === "video" ? await inspectVideo(ctx, path, handle, size) : file && { ...file, index: null };
		if (video !== null) await handle.sync();
		return video === null ? null : { ...video, bytes: size };
	} finally {
		await handle.close();
	}
}

async function store(
	ctx: RecordingContext,
	uploadId: string,
	{ name, kind, label = {}, outcome, keep }: UploadQuery,
	video: InspectedFile & { createdAt: number | null; shown: ShownResult | null },
) {
	const now = ctx.clock.now();
	try {
		const kept = await ctx.videoStore.keep(uploadId, {
			path: ctx.videoFiles.pathOf(uploadId),
			head: video.index?.header() ?? Buffer.alloc(0),
			fileBytes: video.index?.completeBytes ?? video.bytes,
			contentType: video.contentType,
		});
		const { row, shown } = await inTransaction(ctx, async (ctx) => {
			const shown = video.shown === null ? null : await lockShownResult(ctx, video.shown);
			const settings = await recordingSettings(ctx, ctx.actor.organizationId);
			const state: { keep: Keep; outcome: Outcome | null } = {
				keep: keep ?? settings.keep,
				outcome: outcome ?? shown?.outcome ?? null,
			};
			const row = await ctx.db
				.insertInto("recording")
				.values({
					organizationId: ctx.actor.organizationId,
					jobId: null,
					name,
					kind,
					...labelColumns({ ...shown?.labels, ...label }),
					...state,
					deleteAt: deleteAtOf(state, settings, now),
					state: "ready",
					contentType: video.contentType,
					uploadId,
					durationSeconds: video.durationSeconds,
					bytes: video.bytes,
					downloadBytes: video.index?.downloadBytes ?? null,
					width: video.width,
					height: video.height,
					...kept.columns,
					pinned: 0,
					createdAt: video.createdAt ?? now,
					updatedAt: now,
				})
				.returningAll()
				.executeTakeFirstOrThrow();
			await ctx.leases.stored(ctx, uploadId, { onDisk: kept.columns.objectKey === null });
			await kept.commit(ctx.db);
			await noteEvents(ctx, "recording.ready", row.organizationId, [row.id]);
			if (shown !== null) await attachVideo(ctx, shown, row.id);
			await updateResultsOfUpload(ctx, row);
			await auditUpload(ctx, row);
			return { row, shown };
		});
		await kept.release();
		await publishRecording(ctx, row);
		if (shown !== null) publishResults(ctx, ownedByRun(shown.testRunId));
		else if (row.outcome !== null) publishResults(ctx, ownedByUpload(row.id));
		return { ...recordingView(ctx, row), sessions: [], privacy: [] };
	} catch (error) {
		await ctx.videoFiles.remove(uploadId);
		throw error;
	}
}
