"use client";

import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { useCancelJob } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobDrawerTexts } from "#lib/texts/job-drawer.ts";

/** Cancels, and when the server refuses says so in its words, also when what asked is no longer on the page. */
export function useCancelWithWords() {
	const cancel = useCancelJob();
	return {
		mutate: (job: Job) =>
			void cancel
				.mutateAsync(job)
				.catch((error: unknown) => toast.error(jobDrawerTexts.notCancelled(job.name, wordsOf(error)))),
	};
}
