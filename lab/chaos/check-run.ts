/** Checks every job of a run, and every frame of its recording. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JobEvent } from "@tapedeck/contract/job.ts";
import { readVideo } from "#test/counter/read-video.ts";
import { allowedGaps, endOf } from "./allowances.ts";
import { checkOutcome, faultsOf, type JobFault, outcomeOf } from "./check-outcome.ts";
import { checkRecording, type RecordingResult, type Span } from "./check-recording.ts";
import type { Origin } from "./plan.ts";
import { type JobRecord, type RunRecord, sinceEpoch } from "./run-record.ts";
import type { World } from "./world.ts";

export interface JobResult {
	jobId: number;
	origin: Origin;
	faults: JobFault[];
	/** Null where nothing was captured. */
	recording: RecordingResult | null;
	/** The faults found, one sentence each. */
	wrong: string[];
}

export async function checkRun(world: World, run: RunRecord): Promise<JobResult[]> {
	const folder = join(world.evidence, "videos");
	await mkdir(folder, { recursive: true });
	const results: JobResult[] = [];
	for (const job of run.jobs) results.push(await checkJob(world, run, job, join(folder, `job-${job.id}.mp4`)));
	return results;
}

async function checkJob(world: World, run: RunRecord, job: JobRecord, file: string): Promise<JobResult> {
	const { epoch } = run;
	const over = sinceEpoch(epoch, job.final?.stoppedAt ?? job.final?.endedAt ?? null) ?? Infinity;
	const faults = faultsOf(job, run.faults, over);
	const outcome = checkOutcome(job, faults, epoch);
	const wrong = outcome === null ? [] : [outcome];
	const result: JobResult = { jobId: job.id, origin: job.plan.origin, faults, recording: null, wrong };
	const { final } = job;
	if (final === null || final.recording === null) return result;
	try {
		await writeFile(file, await world.client.video(final.recording.id));
		const { frames, lengthMs, complaints } = await readVideo(file);
		if (job.plan.origin === "worker") {
			// It shows a browser, and no counter.
			if (complaints !== "" || frames.length === 0) wrong.push(`decoding it complains: ${complaints.split("\n")[0]}`);
			if (wrong.length === 0) await rm(file, { force: true });
			return result;
		}
		const stalls = stallsIn(await world.client.events(job.id));
		const startedAt = sinceEpoch(epoch, final.startedAt) ?? job.createdAt;
		const allowed = allowedGaps(faults);
		const end = startedAt + job.plan.seconds * 1_000;
		// A gap at the very end leaves nothing to go on with.
		const cutShort = allowed.some((span) => span.from < end && span.to >= end);
		const askedSeconds = outcomeOf(job) === "duration_elapsed" && !cutShort ? job.plan.seconds : null;
		result.recording = checkRecording({
			...{ frames, lengthMs, stalls, complaints, startedAt, allowed, askedSeconds },
			durationSeconds: final.recording.durationSeconds,
			painted: run.painted[job.plan.display] ?? [],
			end: endOf(job, faults, epoch),
		});
		result.wrong.push(...result.recording.faults);
	} catch (error) {
		result.wrong.push(`its video cannot be read: ${(error as Error).message}`);
	}
	if (result.wrong.length === 0) await rm(file, { force: true });
	return result;
}

/** The stalls that a job's history reports. */
export const stallsIn = (events: readonly JobEvent[]): Span[] =>
	events
		.filter(({ type }) => type === "capture_stalled")
		.map(({ data }) => ({ from: Number(data.from) * 1_000, to: Number(data.to) * 1_000 }));
