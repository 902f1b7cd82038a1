/** `GET /v1/recordings/{id}/clip`: a stretch of a recording as a file, if wanted beside the run of its test that passed. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { offsetAtFailure } from "@tapedeck/contract/alignments.ts";
import { CLIP_HEADER, CLIP_TYPES, type ClipQuery } from "@tapedeck/contract/clip.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { safeFileName } from "@tapedeck/media/content-disposition.ts";
import { matchesEtag } from "@tapedeck/media/http-range.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { assertVideo, findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { clipRange } from "#lib/recordings/excerpts/clip-range.ts";
import { type ClipCall, withClip } from "#lib/recordings/excerpts/make-clip.ts";
import { failMarkerOf } from "#lib/recordings/fail-markers.ts";
import { readLastPassed } from "#lib/recordings/last-passed.ts";
import { mediaSecurityHeaders } from "#lib/recordings/playback/serve-video.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { failedIn, resultsOfRecording } from "./results-of-recording.ts";

/**
 * Answers with the clip. The header `Tapedeck-Clip` says which seconds it has.
 * @throws the errors of withClip; not_found if it is wanted beside a recording that passed, and there is none.
 */
export async function serveClip(
	ctx: RecordingContext,
	call: ClipQuery & { recordingId: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	const { req, res, format, signal } = call;
	const { row, clipCall, etag, key } = await planClip(ctx, call);
	const cacheControl = key === null ? "private, no-store" : "private, no-cache";
	if (key !== null && matchesEtag(req.headers["if-none-match"], etag)) {
		res.writeHead(304, { ETag: etag, "Cache-Control": cacheControl }).end();
		return;
	}
	await withClip(ctx, { ...clipCall, key, signal }, (clip) =>
		serveBytes(req, res, clip.source, {
			etag,
			cacheControl,
			contentType: CLIP_TYPES[format],
			fileName: safeFileName(row.name, format, `_${row.id}_${Math.floor(clip.from)}-${Math.ceil(clip.to)}s`),
			headers: { ...mediaSecurityHeaders(ctx), [CLIP_HEADER]: `${clip.from.toFixed(3)}-${clip.to.toFixed(3)}` },
		}),
	);
}

/**
 * Decides which clip a call asks for, before it is the call's turn to have it made.
 * @returns its key as `withClip` takes it, which is null while the recording grows.
 * @throws not_found; validation_failed for a stretch that is none.
 */
export async function planClip(
	ctx: Context,
	call: ClipQuery & { recordingId: number },
): Promise<{ row: RecordingRow; clipCall: ClipCall; etag: string; key: string | null }> {
	const { against, recordingId } = call;
	const row = await findRecording(ctx, recordingId);
	assertVideo(row);
	const isLive = row.state === "live";
	const results = await resultsOfRecording(ctx, row);
	const failedAt = failedIn(results)?.failureOffsetSeconds ?? (await failMarkerOf(ctx, row));
	// And again once it is known how much of a recording in progress there is by then.
	clipRange(call, isLive ? Number.POSITIVE_INFINITY : row.durationSeconds, failedAt ?? 0);
	const beside = against === undefined ? null : await passedBeside(ctx, row, results);
	const { from, to, maxBytes, format, size, exact } = call;
	const clipCall: ClipCall = { recordingId, from, to, maxBytes, format, size, exact, failedAt, beside };
	const etag = etagOf(row, clipCall);
	return { row, clipCall, etag, key: isLive ? null : etag };
}

/** Everything that the clip depends on, and so the key by which it is kept. */
function etagOf({ id, createdAt, bytes }: RecordingRow, call: ClipCall): string {
	const all = JSON.stringify([id, createdAt, bytes, call]);
	return `"${createHash("sha256").update(all).digest("base64url").slice(0, 22)}"`;
}

/** The last run that passed, and how much later it shows the same. */
async function passedBeside(
	ctx: Context,
	row: RecordingRow,
	results: readonly TestResult[],
): Promise<NonNullable<ClipCall["beside"]>> {
	const { recording } = await readLastPassed(ctx, row.id);
	if (recording === null) {
		throw new TapedeckError(
			"not_found",
			"No earlier recording of this test has passed, so there is nothing to show beside it.",
		);
	}
	const failed = failedIn(results) ?? results[0];
	const passed = (await resultsOfRecording(ctx, recording)).find(({ testId, outcome }) =>
		failed === undefined ? false : testId === failed.testId && outcome === "passed",
	);
	const offset = failed === undefined || passed === undefined ? 0 : offsetAtFailure(failed, passed);
	return { recordingId: recording.id, offset };
}
