"use client";

import { CircleStop } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { isCancellable, isEndedStatus } from "#lib/client/job-filters.ts";
import type { Job } from "#lib/contract/job.ts";
import { useCancelWithWords } from "./use-cancel-with-words.ts";

/** `Cancel job` while that changes something, `Cancelling…` once it was asked, nothing when the job has ended. */
export function CancelJobButton({ job }: { job: Job }) {
	const cancel = useCancelWithWords();
	const asked = job.cancelRequestedAt !== null;
	if (isEndedStatus(job.status) || (!asked && !isCancellable(job))) return null;
	// Not `disabled`: a button that is would drop the focus.
	return (
		<Button look="danger" aria-disabled={asked} onClick={asked ? undefined : () => cancel.mutate(job)}>
			<CircleStop aria-hidden className="size-4" />
			{asked ? "Cancelling…" : "Cancel job"}
		</Button>
	);
}
