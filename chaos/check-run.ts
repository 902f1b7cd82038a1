/** Judges every job of a run, and fetches and reads every recording to do so. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JobEvent } from "#lib/contract/job.ts";
import { allowedGaps, endOf } from "./allowances.ts";
import { type JobFacts, type RunFacts, sinceEpoch } from "./facts.ts";
import { faultsOf, type JobFault, judgeOutcome, outcomeOf } from "./check-outcome.ts";
import { judgeRecording, type Span, type Verdict } from "./check-recording.ts";
import { readVideo } from "../test/counter/read-video.ts";
import type { World } from "./world.ts";

export interface JobVerdict {
	jobId: number;
	faults: JobFault[];
	/** Null where nothing was captured. */
	recording: Verdict | null;
	/** What is wrong, one sentence each. */
	wrong: string[];
}

export async function judgeRun(world: World, facts: RunFacts): Promise<JobVerdict[]> {
	const folder = join(world.evidence, "videos");
	await mkdir(folder, { recursive: true });
	const verdicts: JobVerdict[] = [];
	for (const job of facts.jobs) verdicts.push(await judgeJob(world, facts, job, join(folder, `job-${job.id}.mp4`)));
	return verdicts;
}

async function judgeJob(world: World, facts: RunFacts, job: JobFacts, file: string): Promise<JobVerdict> {
	const { epoch } = facts;
	const over = sinceEpoch(epoch, job.final?.stoppedAt ?? job.final?.endedAt ?? null) ?? Infinity;
	const faults = faultsOf(job, facts.faults, over);
	const outcome = judgeOutcome(job, faults, epoch);
	const verdict: JobVerdict = { jobId: job.id, faults, recording: null, wrong: outcome === null ? [] : [outcome] };
	const { final } = job;
	if (final === null || final.recording === null) return verdict;
	try {
		await writeFile(file, await world.client.video(final.recording.id));
		const { frames, lengthMs, complaints } = await readVideo(file);
		const stalls = stallsIn(await world.client.events(job.id));
		const startedAt = sinceEpoch(epoch, final.startedAt) ?? job.createdAt;
		const allowed = allowedGaps(faults);
		const end = startedAt + job.plan.seconds * 1_000;
		// A gap at the very end leaves nothing to go on with.
		const cutShort = allowed.some((span) => span.from < end && span.to >= end);
		const askedSeconds = outcomeOf(job) === "duration_elapsed" && !cutShort ? job.plan.seconds : null;
		verdict.recording = judgeRecording({
			...{ frames, lengthMs, stalls, complaints, startedAt, allowed, askedSeconds },
			durationSeconds: final.recording.durationSeconds,
			painted: facts.painted[job.plan.display] ?? [],
			end: endOf(job, faults, epoch),
		});
		verdict.wrong.push(...verdict.recording.faults);
	} catch (error) {
		verdict.wrong.push(`its video cannot be read: ${(error as Error).message}`);
	}
	if (verdict.wrong.length === 0) await rm(file, { force: true });
	return verdict;
}

const stallsIn = (events: readonly JobEvent[]): Span[] =>
	events
		.filter(({ type }) => type === "capture_stalled")
		.map(({ data }) => ({ from: Number(data.from) * 1_000, to: Number(data.to) * 1_000 }));
