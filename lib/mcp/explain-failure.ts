/** The tool that explains a failed test: what its recording shows, and what became of the test before. */
import { aboutFailure, aboutTime } from "@tapedeck/contract/about-time.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { type TestResult, testHistoryQuerySchema } from "@tapedeck/contract/test-result.ts";
import * as z from "zod";
import { invalid } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { makeContactSheet } from "#lib/recordings/excerpts/contact-sheet.ts";
import { readDigest } from "#lib/test-results/digest.ts";
import { escapedLine, quoted } from "#lib/test-results/digest-text.ts";
import { readFailureFrame } from "#lib/test-results/failure-frames.ts";
import { readHistory, readResult } from "#lib/test-results/list-results.ts";
import { failedIn, resultsOfRecording } from "#lib/test-results/results-of-recording.ts";
import { playedVideo } from "./clip-app.ts";
import { describeRecording, playedRecording } from "./record.ts";
import { assertMay, DATA_NOTE, id, parseInput, pictureOr, type ToolCall, tool } from "./tool.ts";

const DIGEST = { maxTokens: 900, frames: 4, part: "text" } as const;
const MESSAGE_BYTES = 3_000;
const STACK_BYTES = 1_500;
const SHOWN_RESULTS = 20;
/** Actions of a person just before the failure. */
const BEFORE_SECONDS = 2;

export const explainFailure = tool({
	name: "explain_failure",
	description:
		"Explain a failed test: error, step, logs, frames before and at the failure, and its history. By result (from find), by recording, or by the title of the test.",
	isReadOnly: true,
	hasVideo: true,
	input: z.strictObject({
		result: id("result").optional(),
		recording: id("recording").optional(),
		test: z.string().optional(),
	}),
	async run(call, input) {
		assertMay(call, "recordings:read");
		const result = await failureOf(call, input);
		if (result === null) {
			const recording = input.recording ?? 0;
			return { ...(await describeRecording(call, recording)), ...(await playedRecording(call, recording)) };
		}
		const { ctx, signal } = call;
		const { recordingId, failureOffsetSeconds: at } = result;
		const text = [DATA_NOTE, aboutResult(result), await aboutHistory(call, result)];
		if (recordingId === null) {
			const picture = result.hasFrame ? await readFailureFrame(ctx, result.id) : undefined;
			return {
				text: [...text, result.deletedRecording === null ? "There is no video of it." : "Its video was deleted."],
				...(picture === undefined ? {} : { picture }),
			};
		}
		const about = aboutFailure(result);
		const where = about === null ? "at the failure" : `(it ${about}: look around it)`;
		const link = `Its video ${where}: ${ctx.baseUrl}/recordings/${recordingId}?result=${result.id}`;
		const { markdown } = await readDigest(ctx, { ...DIGEST, recordingId, signal });
		const row = await findRecording(ctx, recordingId);
		const moments = at === null ? [row.durationSeconds] : [Math.max(0, at - BEFORE_SECONDS), Math.max(0, at)];
		return {
			text: [...text, link, markdown],
			...(await pictureOr(() => makeContactSheet(ctx, row, moments, signal))),
			...(call.showsViews ? { video: await playedVideo(call, row, { failedAt: at }) } : {}),
		};
	},
});

/** @returns null for a recording without a failed test. */
async function failureOf(
	{ ctx }: ToolCall,
	{ result, recording, test }: { result?: number; recording?: number; test?: string },
): Promise<TestResult | null> {
	if (result !== undefined) return readResult(ctx, result);
	if (recording !== undefined) {
		const results = await resultsOfRecording(ctx, await findRecording(ctx, recording));
		return failedIn(results) ?? results.find(({ outcome }) => isFailure(outcome)) ?? null;
	}
	if (test === undefined) {
		throw invalid({ path: "result", code: "required", message: "Send result, recording or test. find lists them." });
	}
	const query = { test, limit: String(SHOWN_RESULTS) };
	const { summary, data } = await readHistory(ctx, parseInput(testHistoryQuerySchema, query));
	// The summary leaves out the results of agents.
	const failed = summary.lastFailedId ?? data.find(({ outcome }) => isFailure(outcome))?.id;
	if (failed !== undefined) return readResult(ctx, failed);
	const message =
		data.length === 0
			? "No test has this title. find with in: tests lists them."
			: "This test has not failed. find with q: outcome:failed and in: tests lists failures.";
	throw invalid({ path: "test", code: "not_found", message });
}

function aboutResult({ test, outcome, attempt, file, line, startedAt, message, stack, ...result }: TestResult): string {
	const place = file === null ? "" : ` (${escapedLine(file, 120)}${line === null ? "" : `:${line}`})`;
	const remarks = [outcome ?? "running", `attempt ${attempt}`, ...(result.flaky ? ["flaky"] : [])];
	return [
		`# ${escapedLine(test)}${place}: ${[...remarks, ...(result.new ? ["new"] : [])].join(", ")}, ${aboutTime(result, startedAt)}`,
		...(message === null ? [] : [quoted(message, MESSAGE_BYTES)]),
		...(stack === null ? [] : [quoted(stack, STACK_BYTES)]),
	].join("\n\n");
}

async function aboutHistory({ ctx }: ToolCall, { testId, cause }: TestResult): Promise<string> {
	const query = { testId: String(testId), limit: String(SHOWN_RESULTS) };
	const { summary, data } = await readHistory(ctx, parseInput(testHistoryQuerySchema, query));
	const { results, passed, failed, error, flaky, failingSince } = summary;
	const since = failingSince === null ? "" : ` Failing since ${failingSince.startedAt}.`;
	const newest = data.map(({ outcome }) => outcome ?? "running").join(", ");
	const same = cause === null ? "" : ` Others of the same cause: find with in: tests and q: cause:${cause}.`;
	if (results === 0)
		return `History: only agents ran this test, and their results do not count. Newest first: ${newest}.${same}`;
	return `History: of ${results} results ${passed} passed and ${failed + error} failed, ${flaky} of them flaky.${since} Newest first: ${newest}.${same}`;
}
