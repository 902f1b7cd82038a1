/** Whether what simulated runners recorded is stored byte by byte, and each of their jobs ended once. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JobEvent } from "@tapedeck/contract/job.ts";
import { mayLoseJob } from "./check-outcome.ts";
import type { SimulatedJobRecord } from "./drive-simulated.ts";
import type { Fault } from "./run-record.ts";
import type { World } from "./world.ts";

export interface SimulatedJobResult {
	jobId: number;
	/** Bytes that were compared. */
	bytes: number;
	/** The faults found, one sentence each. */
	wrong: string[];
}

export async function checkSimulated(
	world: World,
	jobs: readonly SimulatedJobRecord[],
	faults: readonly Fault[],
): Promise<SimulatedJobResult[]> {
	const results: SimulatedJobResult[] = [];
	for (const job of jobs) {
		const machine = world.simulated[job.plan.runner];
		const file = join(world.dashboardDir, "videos", `job-${job.id}`);
		const stored = await readFile(file).catch(() => null);
		const wasUnreachable = faults.some(
			(fault) => (fault.runner === null || fault.runner === machine?.network) && mayLoseJob(fault),
		);
		const events = await world.client.events(job.id);
		const wrong = checkJob({ job, stored, events, pieces: machine?.pieces ?? [], wasUnreachable });
		results.push({ jobId: job.id, bytes: stored?.length ?? 0, wrong });
	}
	return results;
}

export interface SimulatedJobInput {
	job: SimulatedJobRecord;
	/** The stored video; null when there is none. */
	stored: Buffer | null;
	events: readonly Pick<JobEvent, "type">[];
	/** The whole video as its runner uploads it. */
	pieces: readonly Buffer[];
	/** Whether its runner was unreachable for so long that, by the rules, a job that had not begun was lost. */
	wasUnreachable: boolean;
}

/** @returns the faults found, one sentence each. */
export function checkJob({ job, stored, events, pieces, wasUnreachable }: SimulatedJobInput): string[] {
	const { final } = job;
	if (final === null) return ["it was created and is gone"];
	const wrong: string[] = [];
	const ends = endsIn(events);
	if (ends !== 1) wrong.push(`its history has ${ends} ends`);
	if (final.startedAt === null) {
		const allowed = (job.cancelled && final.status === "cancelled") || (wasUnreachable && final.status === "failed");
		return allowed ? wrong : [...wrong, `it is ${final.status} and never began`];
	}
	const allowed = job.cancelled ? ["cancelled", "duration_elapsed"] : ["duration_elapsed"];
	if (final.status !== "completed" || !allowed.includes(final.stopReason ?? "")) {
		wrong.push(`it ended as ${final.status}, ${final.stopReason}; expected completed, ${allowed.join(" or ")}`);
	}
	if (final.recording?.state !== "ready") wrong.push(`its recording is ${final.recording?.state ?? "gone"}`);
	if (stored === null) return [...wrong, "its video is not stored"];
	return [...wrong, ...checkBytes(stored, pieces, final.stopReason === "cancelled")];
}

/** A runner that was thought lost and returned took that end back. */
function endsIn(events: readonly Pick<JobEvent, "type">[]): number {
	const count = (...types: string[]) => events.filter(({ type }) => types.includes(type)).length;
	return count("completed", "failed", "cancelled", "runner_lost") - count("runner_returned");
}

/** @param mayBeShorter whether it may end after any of its chunks. */
function checkBytes(stored: Buffer, pieces: readonly Buffer[], mayBeShorter: boolean): string[] {
	const whole = Buffer.concat(pieces);
	const made = whole.subarray(0, stored.length);
	if (!stored.equals(made)) {
		const at = stored.findIndex((byte, index) => byte !== made[index]);
		return [`its stored video differs from what was recorded from byte ${at} on`];
	}
	let end = 0;
	const ends = pieces.map((piece) => {
		end += piece.length;
		return end;
	});
	if (mayBeShorter ? ends.includes(stored.length) : stored.length === whole.length) return [];
	return [`${stored.length} of its ${whole.length} bytes are stored`];
}
