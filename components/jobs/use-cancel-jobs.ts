"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { useCallback } from "react";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { fewAtATime } from "#lib/client/few-at-a-time.ts";
import { counted, quoted } from "#lib/client/format.ts";
import { sendCancel, showCancelling, useCancelJob } from "./change-jobs.ts";

const notCancelled = ({ name }: Job, error: unknown): string =>
	`${quoted(name)} was not cancelled. ${errorMessage(error)}`;

/** Cancels a job; when the server refuses, a toast says why, also after the button that was pressed has gone. */
export function useCancelWithToast(): (job: Job) => void {
	const { mutateAsync } = useCancelJob();
	return (job) => void mutateAsync(job).catch((error: unknown) => toast.error(notCancelled(job, error)));
}

/** Cancels many jobs: shown at once, undone for each that the server refuses, and summed up in one toast. */
export function useCancelMany(): (jobs: readonly Job[]) => Promise<void> {
	const client = useQueryClient();
	return useCallback(
		async (jobs) => {
			showCancelling(client, jobs);
			const refused = await fewAtATime(jobs, (job) => sendCancel(client, job));
			const [first] = refused;
			if (first === undefined) toast.success(`Cancelled ${counted(jobs.length, "job", "jobs")}.`);
			else if (jobs.length === 1) toast.error(notCancelled(first.item, first.error));
			else {
				const all = counted(jobs.length, "job was", "jobs were");
				toast.error(`${refused.length} of ${all} not cancelled. ${errorMessage(first.error)}`);
			}
		},
		[client],
	);
}
