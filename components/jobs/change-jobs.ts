/** Creating and cancelling jobs. Apart from `jobs.ts`, because a page that only shows jobs does not load it at first. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Job, NewJobBody } from "@tapedeck/contract/job.ts";
import type { Schedule } from "@tapedeck/contract/schedule.ts";
import { call } from "#lib/client/api.ts";
import { applyJob, applyJobs, jobKeys, shownJob } from "#lib/client/jobs.ts";

/** Shows these jobs as cancelling, before the server is asked. */
export function showCancelling(client: QueryClient, jobs: readonly Job[]): void {
	const cancelRequestedAt = new Date().toISOString();
	applyJobs(
		client,
		jobs.map((job) => ({ ...job, cancelRequestedAt })),
	);
}

/**
 * Sends the cancel of a job that is already shown as cancelling; reverts that if the server refuses.
 * @throws ApiError with the server's message
 */
export async function sendCancel(client: QueryClient, job: Job): Promise<void> {
	try {
		const answer = await call<Job>("POST", `/v1/jobs/${job.id}/cancel`);
		// From a fast runner, the event can arrive before this response and be newer.
		const shown = shownJob(client, job.id);
		if (!shown || (shown.endedAt === null && shown.stoppedAt === null)) applyJob(client, answer);
	} catch (error) {
		// Revert only the cancelling, and keep other changes from events.
		applyJob(client, { ...(shownJob(client, job.id) ?? job), cancelRequestedAt: job.cancelRequestedAt });
		void client.invalidateQueries({ queryKey: jobKeys.one(job.id) });
		throw error;
	}
}

/** Cancels a job optimistically. */
export function useCancelJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (job: Job) => sendCancel(client, job),
		onMutate: (job) => showCancelling(client, [job]),
	});
}

/** Creates a job. With the same `key` and body it is created exactly once, however often it is sent. */
export function useCreateJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ body, key }: { body: NewJobBody; key: string }) =>
			call<Job>("POST", "/v1/jobs", { body, headers: { "idempotency-key": key } }),
		onSuccess: (job) => {
			// The event can arrive before this response and be newer.
			if (shownJob(client, job.id) === undefined) applyJob(client, job);
		},
	});
}

/** Creates a schedule. @returns its first job, which has started. */
export function useCreateSchedule() {
	return useMutation({
		mutationFn: async (body: { everySeconds: number; job: NewJobBody }) => {
			const { lastJob } = await call<Schedule>("POST", "/v1/schedules", { body });
			return call<Job>("GET", `/v1/jobs/${lastJob?.id}`);
		},
	});
}
