"use client";

import { CircleStop } from "lucide-react";
import { useRef } from "react";
import { useCan } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { useKeys } from "#components/ui/use-keys.ts";
import { isCancellable, isEndedStatus } from "#lib/client/job-filters.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobDrawerTexts as texts } from "#lib/texts/job-drawer.ts";
import { useCancelWithWords } from "./use-cancel-with-words.ts";

/** The button of the drawer, and its key C: `Cancel job` while that changes something, `Cancelling…` once it was asked, nothing when the job has ended. */
export function CancelJobButton({ job }: { job: Job }) {
	const cancel = useCancelWithWords();
	const mayWrite = useCan("write");
	const asked = job.cancelRequestedAt !== null;
	const button = useRef<HTMLButtonElement>(null);
	useKeys({ c: () => button.current?.click() }, (dialog) => dialog.contains(button.current));
	if (!mayWrite || isEndedStatus(job.status) || (!asked && !isCancellable(job))) return null;
	// Not `disabled`: a button that is would drop the focus.
	return (
		<Button
			ref={button}
			look="danger"
			title={texts.cancelJobHint}
			aria-disabled={asked}
			onClick={asked ? undefined : () => cancel.mutate(job)}
		>
			<CircleStop aria-hidden className="size-4" />
			{asked ? texts.cancelling : texts.cancelJob}
		</Button>
	);
}
