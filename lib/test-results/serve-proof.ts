/** `GET /v1/recordings/{id}/proof`: a review cut, which shows in a minute what a recording of any length has. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIP_TYPES } from "@tapedeck/contract/clip.ts";
import type { ProofQuery } from "@tapedeck/contract/proof.ts";
import { SESSION_MARKER, STALL_MARKER } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { safeFileName } from "@tapedeck/media/content-disposition.ts";
import { matchesEtag } from "@tapedeck/media/http-range.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { type CutCall, withCut } from "#lib/recordings/excerpts/make-cut.ts";
import type { CutMoment } from "#lib/recordings/excerpts/plan-cut.ts";
import { firstFailMarkerOf } from "#lib/recordings/fail-markers.ts";
import { mediaSecurityHeaders } from "#lib/recordings/playback/serve-video.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { listRecordingMarkers } from "#lib/recordings/recording-markers.ts";
import { failedIn, resultsOfRecording } from "./results-of-recording.ts";

/** More would not fit, however short the captions. */
const MAX_MARKERS = 500;
const MAX_STEPS = 250;
const SAME_SECONDS = 0.05;

export interface PlannedProof {
	row: RecordingRow;
	cutCall: CutCall;
	/** The same for calls that get the same cut. */
	key: string;
}

/** @throws the errors of planProof and withCut. */
export async function serveProof(
	ctx: RecordingContext,
	call: ProofQuery & { recordingId: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	const { req, res, signal } = call;
	const { row, cutCall, key } = await planProof(ctx, call);
	const cacheControl = "private, no-cache";
	if (matchesEtag(req.headers["if-none-match"], key)) {
		res.writeHead(304, { ETag: key, "Cache-Control": cacheControl }).end();
		return;
	}
	await withCut(ctx, { ...cutCall, key, signal }, ({ source }) =>
		serveBytes(req, res, source, {
			etag: key,
			cacheControl,
			contentType: CLIP_TYPES[cutCall.format],
			fileName: safeFileName(row.name, cutCall.format, `_${row.id}_proof`),
			headers: mediaSecurityHeaders(ctx),
		}),
	);
}

/** Decides what is in a cut, before it is the call's turn to have it made. @throws not_found; conflict while it records. */
export async function planProof(ctx: Context, call: ProofQuery & { recordingId: number }): Promise<PlannedProof> {
	const { recordingId, maxSeconds, maxBytes, format } = call;
	const row = await findRecording(ctx, recordingId);
	if (row.state === "live") {
		throw new TapedeckError(
			"conflict",
			`Recording ${recordingId} is still being recorded or uploaded. Stop it and wait until it is complete: a proof is of the whole recording.`,
		);
	}
	const results = await resultsOfRecording(ctx, row);
	const failure = await failureOf(ctx, row, results);
	const { data } = await listRecordingMarkers(ctx, recordingId, { limit: MAX_MARKERS });
	const markers = data.flatMap(({ label, kind, offsetSeconds: at }): CutMoment[] => {
		const isShown = at !== null && kind !== STALL_MARKER && kind !== SESSION_MARKER;
		return !isShown || (failure?.at === at && failure.text === label) ? [] : [{ at, text: label }];
	});
	const cutCall: CutCall = { recordingId, maxSeconds, maxBytes, format, markers, steps: stepsOf(results), failure };
	const all = JSON.stringify([row.id, row.createdAt, row.bytes, cutCall]);
	return { row, cutCall, key: `"${createHash("sha256").update(all).digest("base64url").slice(0, 22)}"` };
}

/** The first failed test that the video shows. If it failed by a marker, the marker says more. */
async function failureOf(ctx: Context, row: RecordingRow, results: readonly TestResult[]): Promise<CutMoment | null> {
	const failed = failedIn(results);
	const marker = await firstFailMarkerOf(ctx, row);
	const failedAt = failed?.failureOffsetSeconds ?? null;
	if (marker !== null && (failedAt === null || Math.abs(marker.offsetSeconds - failedAt) < SAME_SECONDS)) {
		return { at: marker.offsetSeconds, text: marker.label };
	}
	return failed === undefined || failedAt === null ? null : { at: failedAt, text: `${failed.test} failed` };
}

/** Tests and the steps in them, by time. */
function stepsOf(results: readonly TestResult[]): CutMoment[] {
	return results
		.flatMap(({ test, offsetSeconds, steps }) => [
			{ at: offsetSeconds, text: test },
			...steps.map(({ title, offsetSeconds }) => ({ at: offsetSeconds, text: title })),
		])
		.flatMap(({ at, text }) => (at === null ? [] : [{ at, text }]))
		.sort((a, b) => a.at - b.at)
		.slice(0, MAX_STEPS);
}
