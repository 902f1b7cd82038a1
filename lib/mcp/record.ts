/** The tools that record: start, mark and stop. A job's id is all that they need of each other. */
import { createHash } from "node:crypto";
import { clipQuerySchema } from "@tapedeck/contract/clip.ts";
import { createJobBodySchema, type Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { MAX_LABEL_VALUE } from "@tapedeck/contract/labels.ts";
import { createMarkerBodySchema } from "@tapedeck/contract/marker.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { CUT_SUBJECT } from "@tapedeck/contract/receipt.ts";
import { AGENT_LABEL, NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { recordMarkTool, recordStartTool, recordStopTool } from "@tapedeck/contract/recording-tools.ts";
import * as z from "zod";
import { callerKeyOf } from "#lib/core/context.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { cancelJob } from "#lib/jobs/cancel-job.ts";
import { changeJob } from "#lib/jobs/change-job.ts";
import { createJob } from "#lib/jobs/create-job.ts";
import { createMarker } from "#lib/jobs/markers.ts";
import { readJob, waitForJob } from "#lib/jobs/read-job.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";
import { readDigest, readSheet } from "#lib/test-results/digest.ts";
import { describeProof } from "#lib/test-results/receipt.ts";
import { planClip } from "#lib/test-results/serve-clip.ts";
import { playedVideo } from "./clip-app.ts";
import { findPlace } from "./displays.ts";
import { assertMay, DATA_NOTE, id, parseInput, pictureOr, type ToolAnswer, type ToolCall, tool } from "./tool.ts";

const FIRST_FRAME_MS = 25_000;
const PLAYABLE_MS = 25_000;
/** Starts of one name in a day. */
const MAX_STARTS = 1_000;
const DIGEST = { maxTokens: 900, frames: 6 } as const;

export const recordStart = tool({
	...recordStartTool,
	input: z.strictObject({
		...recordStartTool.input,
		display: z
			.string()
			.optional()
			.describe(`${recordStartTool.input.display.description}. new: the runner makes one, to start a browser on`),
		runner: z.coerce.string().optional().describe("The machine of the display"),
	}),
	async run(call, input) {
		assertMay(call, "jobs:write");
		assertMay(call, "jobs:read");
		const { runnerId, displayId, runner } = await findPlace(call, input);
		const body = parseInput(createJobBodySchema, {
			runnerId,
			displayId,
			name: input.name,
			stopCondition: "interrupt",
			labels: { [AGENT_LABEL]: sanitizeName(call.client ?? "", MAX_LABEL_VALUE) || "mcp", ...input.labels },
			maxDurationSeconds: input.max_minutes * 60,
		});
		const started = await startOnce(call, body);
		const job = await waitForJob(call.ctx, started.id, "recording", FIRST_FRAME_MS, call.signal);
		const where = job.displayId === NEW_DISPLAY ? "a new display" : job.displayId;
		const text = [describeStart(call, job, `${where} of ${runner}`)];
		const isMade = displayId === NEW_DISPLAY && job.displayId !== NEW_DISPLAY && !isEnded(job.status);
		if (isMade)
			text.push(`On that machine, start programs with DISPLAY=${job.displayId}. The display ends with the job.`);
		return { text: [text.join(" ")] };
	},
});

/**
 * Creates the job, or finds the one that an equal call of this caller has created and that still runs. The key of each job
 * names the one before it, so that of calls at the same time one creates the job.
 */
async function startOnce({ ctx }: ToolCall, body: z.output<typeof createJobBodySchema>): Promise<Job> {
	const beganAt = ctx.clock.now();
	const base = `${callerKeyOf(ctx.actor)} ${JSON.stringify(body)}`;
	let before = 0;
	for (let starts = 0; starts < MAX_STARTS; starts += 1) {
		const key = createHash("sha256").update(`${base} ${before}`).digest("hex");
		const created = await createJob(ctx, body, `mcp-${key}`);
		const job = await readJob(ctx, created.id);
		// A job that this call created is not started a second time, whatever its outcome.
		if (Date.parse(job.createdAt) >= beganAt || (!isEnded(job.status) && job.cancelRequestedAt === null)) return job;
		before = job.id;
	}
	throw new TapedeckError(
		"too_many_requests",
		`${MAX_STARTS} recordings of this name have been started today. Send another name.`,
	);
}

function describeStart({ ctx }: ToolCall, job: Job, where: string): string {
	const page = `${ctx.baseUrl}/jobs/${job.id}`;
	if (job.status === "failed") {
		throw new TapedeckError("conflict", `Job ${job.id} failed: ${job.error?.message ?? "see its page"} (${page})`);
	}
	if (isEnded(job.status)) return `Job ${job.id} has ended already: ${page}. Call record_stop with job ${job.id}.`;
	if (job.startedAt === null) {
		return `Job ${job.id} is ${job.status}: ${where} has not sent a first frame yet, perhaps because other jobs are before it. Call record_start again with the same arguments to keep waiting, or record_stop to give up. Page: ${page}`;
	}
	const minutes = Math.round((job.maxDurationSeconds ?? 0) / 60);
	return `Job ${job.id} records ${where} since ${job.startedAt}, for at most ${minutes} min. Page: ${page}`;
}

export const recordMark = tool({
	...recordMarkTool,
	input: z.strictObject({ job: id("job"), ...recordMarkTool.input }),
	async run(call, { job, ...marker }) {
		assertMay(call, "jobs:write");
		await assertQuotaLeft(call.ctx);
		const { offsetSeconds } = await createMarker(call.ctx, job, parseInput(createMarkerBodySchema, marker));
		const where = offsetSeconds === null ? "before the first frame" : `at ${offsetSeconds} s`;
		return { text: [`Marked job ${job} ${where}.`] };
	},
});

export const recordStop = tool({
	...recordStopTool,
	hasVideo: true,
	description:
		"Stop a recording and wait until it plays. Returns its link, what happened in it, and its frames. Calling it again is safe.",
	input: z.strictObject({
		job: id("job"),
		...recordStopTool.input,
		proof: recordStopTool.input.proof.describe(
			"Also cut it down to a minute, with a signed receipt, to attach to the change",
		),
	}),
	async run(call, { job: jobId, outcome, proof }) {
		assertMay(call, "jobs:write");
		assertMay(call, "recordings:read");
		const { ctx, signal } = call;
		await cancelJob(ctx, jobId);
		if (outcome !== undefined) await changeJob(ctx, jobId, { outcome });
		const job = await waitForJob(ctx, jobId, "playable", PLAYABLE_MS, signal);
		const page = `${ctx.baseUrl}/jobs/${jobId}`;
		if (job.recording === null) {
			if (!isEnded(job.status)) return { text: [`Job ${jobId} is stopping. ${AGAIN}`] };
			const why = job.deletedRecording !== null ? "its recording was deleted" : "nothing was recorded";
			return { text: [`Job ${jobId} has ended, and ${why}: ${job.error?.message ?? job.stopReason}. Page: ${page}`] };
		}
		const { id: recordingId, url, state } = job.recording;
		if (!isEnded(job.status) || state === "live") {
			return { text: [`Job ${jobId} has stopped, and its video is being uploaded: ${url}. ${AGAIN}`] };
		}
		const described = await describeRecording(call, recordingId);
		return {
			...described,
			text: proof === true ? [...described.text, await proofLine(call, recordingId)] : described.text,
			...(await playedRecording(call, recordingId)),
		};
	},
});

/** Names the URLs of the cut and its receipt, or the reason why there is none. */
async function proofLine({ ctx, signal }: ToolCall, recordingId: number): Promise<string> {
	const url = `${ctx.baseUrl}/v1/recordings/${recordingId}/proof`;
	try {
		const { statement, bytes } = await describeProof(ctx, { ...proofQuerySchema.parse({}), recordingId, signal });
		const { seconds } = statement.predicate.tapedeck.cut;
		const sha256 = statement.subject.find(({ name }) => name === CUT_SUBJECT)?.digest.sha256;
		const size = `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
		return `Proof of ${seconds} s, mp4, ${size}: ${url}\nIts signed receipt: ${url}/receipt (SHA-256 ${sha256}).\nBoth need a sign-in or an API key; "tapedeck proof ${recordingId}" writes both to files.`;
	} catch (error) {
		if (!isTapedeckError(error)) throw error;
		return `No proof: ${error.message}`;
	}
}

/** The whole recording, from shortly before its failure. */
export async function playedRecording(call: ToolCall, recordingId: number): Promise<Pick<ToolAnswer, "video">> {
	if (!call.showsViews) return {};
	const { row, clipCall } = await planClip(call.ctx, { ...clipQuerySchema.parse({}), recordingId });
	return { video: await playedVideo(call, row, { failedAt: clipCall.failedAt }) };
}

const AGAIN = "Call record_stop again to keep waiting.";

/** A recording's link, and its digest and frames if they can be made: of several dashboards, another one may have the video. */
export async function describeRecording(call: ToolCall, recordingId: number): Promise<ToolAnswer> {
	const { ctx, signal } = call;
	const { id } = await findRecording(ctx, recordingId);
	const asked = { ...DIGEST, recordingId, signal };
	const head = `Recording ${id} plays: ${ctx.baseUrl}/recordings/${id}`;
	try {
		const { markdown } = await readDigest(ctx, { ...asked, part: "text" });
		return {
			text: [head, DATA_NOTE, markdown],
			...(await pictureOr(() => readSheet(ctx, { ...asked, part: "sheet" }))),
		};
	} catch (error) {
		if (!isTapedeckError(error)) throw error;
		return { text: [head, `No digest: ${error.message}`] };
	}
}
