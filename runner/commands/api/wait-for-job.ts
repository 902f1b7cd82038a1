/** `tapedeck jobs wait`: waits until a job records, has ended, or its video plays. */

import { type Job, TapedeckError, type WaitFor } from "@tapedeck/client-source/index.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { secondsOf } from "../../base/length.ts";
import { pause } from "../../base/wait.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, idOf } from "./api-command.ts";
import { about, isTemporary } from "./dashboard-client.ts";
import { describeJob } from "./job.ts";

const GOALS: readonly WaitFor[] = ["recording", "ended", "playable"];
/** The longest that one call may wait. */
const CALL_SECONDS = 60;
/** Maximum time that the command waits for an unreachable dashboard, such as during a restart. */
const AWAY_MS = 60_000;
const POLL_MS = 1_000;

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, positionals } = call;
	const id = idOf(positionals[0], "job");
	const goal = GOALS.find((known) => known === (values.for ?? "playable"));
	if (goal === undefined) throw usageError(`--for: Use ${GOALS.join(", ")}.`);
	const seconds = values.timeout === undefined ? Number.POSITIVE_INFINITY : secondsOf(String(values.timeout));
	if (seconds === null) throw usageError("--timeout: Use a length such as 90s, 15m or 1h, at most 7d.");
	const deadline = performance.now() + seconds * 1_000;
	for (;;) {
		const left = Math.max(0, (deadline - performance.now()) / 1_000);
		const job = await readWhenBack(call, id, goal, Math.ceil(Math.min(left, CALL_SECONDS)), deadline);
		if (hasReached(job, goal)) {
			call.print(job, describeJob(call, job));
			return job.status === "failed" || job.status === "cancelled" ? EXIT.failed : EXIT.done;
		}
		if (performance.now() < deadline) continue;
		throw new CommandError(
			"timeout",
			`Job ${id} is still ${job.status} after ${values.timeout}; wait longer, or cancel it.`,
		);
	}
}

/** Reads the job, and again while the dashboard is away, and when too many calls of the key wait already. */
async function readWhenBack(
	call: ApiCall,
	id: number,
	waitFor: WaitFor,
	timeoutSeconds: number,
	deadline: number,
): Promise<Job> {
	let since: number | null = null;
	for (;;) {
		try {
			const query = { waitFor, timeoutSeconds };
			const timeoutMs = (timeoutSeconds + 30) * 1_000;
			return await about(`Job ${id}`, call.client.request<Job>("GET", `/v1/jobs/${id}`, { query, timeoutMs }));
		} catch (error) {
			if (!isTemporary(error)) throw error;
			if (error instanceof TapedeckError && error.status === 429) {
				const ms = (error.retryAfterSeconds ?? 1) * 1_000;
				if (performance.now() + ms >= deadline) throw error;
				await pause(ms);
				continue;
			}
			if (since === null) call.remark("The dashboard does not respond; waiting up to a minute for it to come back.");
			since ??= performance.now();
			if (performance.now() - since > AWAY_MS) throw error;
			await pause(POLL_MS);
		}
	}
}

function hasReached(job: Job, goal: WaitFor): boolean {
	if (goal === "recording") return job.startedAt !== null || isEnded(job.status);
	return isEnded(job.status) && (goal === "ended" || job.recording?.state !== "live");
}

export const wait = apiCommand({
	usage: "tapedeck jobs wait <job id> [--for recording|ended|playable] [--timeout 10m]",
	about: "Waits for a job, also while the dashboard restarts, for up to a minute.",
	summary: "wait until a job records, has ended, or plays",
	options: [
		option("--for <state>", "recording: frames are captured; ended; playable: the video is stored and plays (default)"),
		option("--timeout <length>", "how long, such as 90s, 15m or 1h; default as long as it takes"),
	],
	exit: "Here, 1 also means that the job failed or was cancelled before its first frame, or that the time was over.",
	maxArguments: 1,
	run,
});
