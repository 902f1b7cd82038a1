/**
 * `GET /v1/recordings/{id}/proof/receipt`: what the dashboard states about a recording and its review cut, signed. It states
 * what was recorded by whom, and never that what the display showed was real.
 */
import type { ProofQuery } from "@tapedeck/contract/proof.ts";
import {
	CUT_SUBJECT,
	GIF_SUBJECT,
	PREDICATE_TYPE,
	RECORDING_SUBJECT,
	type Receipt,
	STATEMENT_TYPE,
	type Statement,
} from "@tapedeck/contract/receipt.ts";
import { isFailure, STALL_MARKER } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { sourceLength } from "@tapedeck/media/byte-source.ts";
import type { Context } from "#lib/core/context.ts";
import { roundedSeconds, timestamp } from "#lib/core/times.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { withCut } from "#lib/recordings/excerpts/make-cut.ts";
import type { CutPlan } from "#lib/recordings/excerpts/plan-cut.ts";
import type { ReceiptSigner } from "#lib/recordings/receipts/receipt-signer.ts";
import { hashOf, hashOfRecording } from "#lib/recordings/receipts/video-hash.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { privacyOf } from "#lib/recordings/recording-details.ts";
import { listRecordingMarkers } from "#lib/recordings/recording-markers.ts";
import { resultsOfRecording } from "./results-of-recording.ts";
import { planProof } from "./serve-proof.ts";

const MAX_MARKERS = 500;
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

type ProofCall = ProofQuery & { recordingId: number; signal: AbortSignal };

/** @throws the errors of planProof and withCut. */
export async function readReceipt(ctx: RecordingContext, signer: ReceiptSigner, call: ProofCall): Promise<Receipt> {
	return signer.sign((await describeProof(ctx, call)).statement);
}

/** Returns the statement of a receipt and the size of the cut. @throws the errors of planProof and withCut. */
export async function describeProof(
	ctx: RecordingContext,
	call: ProofCall,
): Promise<{ statement: Statement; bytes: number }> {
	const { signal } = call;
	const { row, cutCall, key } = await planProof(ctx, call);
	const { plan, cutHash, bytes } = await withCut(ctx, { ...cutCall, key, signal }, async ({ plan, source }) => ({
		plan,
		bytes: sourceLength(source),
		cutHash: await hashOf(source, signal),
	}));
	const recordingHash = await hashOfRecording(ctx, row, signal);
	const cutName = cutCall.format === "mp4" ? CUT_SUBJECT : GIF_SUBJECT;
	return { statement: await statementOf(ctx, row, plan, { cutName, cutHash, recordingHash }), bytes };
}

async function statementOf(
	ctx: RecordingContext,
	row: RecordingRow,
	plan: CutPlan,
	{ cutName, cutHash, recordingHash }: { cutName: string; cutHash: string; recordingHash: string },
): Promise<Statement> {
	const { id, outcome } = row;
	const labels = readLabels(row);
	const commit = labels.commit ?? null;
	const results = await resultsOfRecording(ctx, row);
	const named = (wanted: (outcome: TestResult["outcome"]) => boolean) =>
		results.filter(({ outcome }) => wanted(outcome)).map(({ test }) => test);
	return {
		_type: STATEMENT_TYPE,
		subject: [
			{ name: cutName, digest: { sha256: cutHash } },
			{ name: RECORDING_SUBJECT, digest: { sha256: recordingHash } },
		],
		predicateType: PREDICATE_TYPE,
		predicate: {
			result: outcome === "passed" ? "PASSED" : isFailure(outcome) ? "FAILED" : "WARNED",
			configuration: commit !== null && COMMIT.test(commit) ? [{ name: "commit", digest: { gitCommit: commit } }] : [],
			url: `${ctx.baseUrl}/recordings/${id}`,
			passedTests: named((outcome) => outcome === "passed"),
			warnedTests: named((outcome) => outcome !== "passed" && !isFailure(outcome)),
			failedTests: named(isFailure),
			tapedeck: {
				...(await recordedBy(ctx, row)),
				commit,
				labels,
				outcome,
				outcomeFrom: await outcomeFrom(ctx, row),
				gaps: await gapsOf(ctx, id),
				private: await privacyOf(ctx, row),
				cut: cutOf(plan),
				signedAt: timestamp(ctx.clock.now()),
			},
		},
	};
}

async function recordedBy(ctx: Context, row: RecordingRow) {
	const { id, jobId, name, createdAt } = row;
	const job =
		jobId === null
			? undefined
			: await ctx.db
					.selectFrom("job")
					.innerJoin("runner", "runner.id", "job.runnerId")
					.select([
						"job.startedAt",
						"job.stoppedAt",
						"job.displayId",
						"job.createdByName",
						"runner.name",
						"runner.version",
					])
					.where("job.id", "=", jobId)
					.executeTakeFirst();
	const startedAt = job?.startedAt ?? createdAt;
	const ends = job?.stoppedAt ?? null;
	return {
		recording: {
			id,
			name,
			durationSeconds: roundedSeconds(row.durationSeconds),
			startedAt: timestamp(startedAt),
			endedAt: ends === null ? null : timestamp(ends),
		},
		recorder:
			job === undefined
				? null
				: {
						runner: job.name,
						version: job.version,
						display: job.displayId,
						requestedBy: job.createdByName,
					},
	};
}

/** Says who reported the outcome, as far as the dashboard knows. */
async function outcomeFrom(ctx: Context, { id, jobId, outcome }: RecordingRow): Promise<string> {
	if (outcome === null) return "Nobody has reported an outcome.";
	const reported = await ctx.db
		.selectFrom("testResult")
		.select(({ fn }) => fn.countAll().as("count"))
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? id)
		.where("isImplied", "=", 0)
		.executeTakeFirstOrThrow();
	const tests = Number(reported.count);
	const results = tests === 0 ? "" : ` ${tests} test results were reported.`;
	const event =
		jobId === null
			? undefined
			: await ctx.db
					.selectFrom("jobEvent")
					.select("message")
					.where("jobId", "=", jobId)
					.where("type", "=", "outcome")
					.orderBy("id", "desc")
					.limit(1)
					.executeTakeFirst();
	return `${event?.message ?? "The outcome was reported with the recording."}${results}`;
}

async function gapsOf(ctx: Context, recordingId: number): Promise<{ at: number; note: string }[]> {
	const { data } = await listRecordingMarkers(ctx, recordingId, { limit: MAX_MARKERS });
	return data.flatMap(({ kind, label, offsetSeconds: at }) =>
		kind === STALL_MARKER && at !== null ? [{ at: roundedSeconds(at), note: label }] : [],
	);
}

function cutOf({ pieces, seconds, leftOut, hiddenMarkers }: CutPlan) {
	const rounded = ({ from, to }: { from: number; to: number }) => ({
		from: roundedSeconds(from),
		to: roundedSeconds(to),
	});
	return {
		seconds: roundedSeconds(seconds),
		leftOut: leftOut.map(rounded),
		faster: pieces.flatMap((piece) => (piece.speed > 1 ? [{ ...rounded(piece), speed: piece.speed }] : [])),
		markersWithoutCaption: hiddenMarkers,
	};
}
