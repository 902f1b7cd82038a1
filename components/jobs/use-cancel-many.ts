"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { sendCancel, showCancelling } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { selectionTexts } from "#lib/texts/jobs.ts";

/** How many calls are under way at once. */
const AT_ONCE = 6;

/** Cancels many jobs: shown at once, each taken back when the server refuses it, and summed up when all have answered. */
export function useCancelMany(): (jobs: readonly Job[]) => Promise<void> {
	const client = useQueryClient();
	return useCallback(
		async (jobs) => {
			showCancelling(client, jobs);
			const unsent = [...jobs];
			const refused: { job: Job; error: unknown }[] = [];
			const send = async () => {
				for (let job = unsent.shift(); job !== undefined; job = unsent.shift()) {
					const asked = job;
					await sendCancel(client, asked).catch((error: unknown) => refused.push({ job: asked, error }));
				}
			};
			await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, send));
			const [first] = refused;
			if (first === undefined) toast.success(selectionTexts.cancelled(jobs.length));
			else if (jobs.length === 1) toast.error(selectionTexts.notCancelled(first.job.name, wordsOf(first.error)));
			else toast.error(selectionTexts.someNotCancelled(refused.length, jobs.length, wordsOf(first.error)));
		},
		[client],
	);
}
