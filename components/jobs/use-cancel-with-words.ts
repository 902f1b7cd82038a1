"use client";

import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { useCancelJob } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";

/** Cancels, and when the server refuses says so in its words. */
export function useCancelWithWords() {
	const cancel = useCancelJob();
	return {
		mutate: (job: Job) =>
			cancel.mutate(job, {
				onError: (error) => toast.error(`“${job.name}” was not cancelled. ${wordsOf(error)}`),
			}),
	};
}
