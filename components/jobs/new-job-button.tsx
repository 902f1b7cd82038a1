"use client";

import { Plus } from "lucide-react";
import { memo, useCallback, useEffect } from "react";
import { useCan } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { useFirstSign } from "#components/ui/use-user-intent.ts";
import { useKeys } from "#components/ui/use-keys.ts";
import { usePart } from "#components/ui/use-part.ts";
import type { Job } from "#lib/contract/job.ts";
import { newJobTexts as texts } from "#lib/texts/jobs.ts";
import { leaveFormFor, openCreateForm, useCreateFormDoor } from "./create-form-door.ts";

const loadDialog = () => import("./create/create-job-dialog.tsx").then((module) => module.CreateJobDialog);

interface Props {
	onOpenJob(id: number, from: HTMLElement | null): void;
}

/** The button `New job`, and the form that it, the key N and the address `?new=1` open. For those who may create jobs. */
export const NewJobButton = memo(function NewJobButton({ onOpenJob }: Props) {
	return useCan("write") ? <Door onOpenJob={onOpenJob} /> : null;
});

function Door({ onOpenJob }: Props) {
	const { open, like, close, giveFocusBack } = useCreateFormDoor();
	const [Dialog, fetch] = usePart(loadDialog);
	useKeys({ n: () => openCreateForm() });
	useFirstSign(useCallback(() => void fetch(true), [fetch]));
	useEffect(() => {
		// What could not be fetched is not open; asked for again, it is fetched again.
		if (open) void fetch().then((here) => here || close());
	}, [open, fetch, close]);
	const created = (job: Job) => {
		leaveFormFor((opener) => onOpenJob(job.id, opener));
		toast.success(texts.created(job.name));
	};
	return (
		<>
			<Button
				look="primary"
				className="pointer-coarse:h-11"
				title={texts.newJobHint}
				aria-haspopup="dialog"
				onClick={(event) => openCreateForm({ from: event.currentTarget })}
			>
				<Plus aria-hidden className="size-4" />
				{texts.newJob}
			</Button>
			{Dialog === null ? null : (
				<Dialog open={open} like={like} onClose={close} onClosed={giveFocusBack} onCreated={created} />
			)}
		</>
	);
}
