"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { useCallback, useEffect } from "react";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { useUserIntent } from "#components/ui/use-user-intent.ts";
import { errorMessage } from "#lib/client/api.ts";
import { jobFromLists, jobQuery } from "#lib/client/jobs.ts";

const loadForm = () => import("./create-job-form.tsx").then((module) => module.CreateJobForm);
type Form = Awaited<ReturnType<typeof loadForm>>;

interface Props {
	open: boolean;
	/** The id of the job that the form is filled in to repeat. */
	like: number | null;
	onClose(): void;
	/** It has closed, and lost the focus. */
	onClosed(): void;
	onCreated(job: Job): void;
}

/** The create form over the page. */
export function CreateJobDialog({ open, like, onClose, onClosed, onCreated }: Props) {
	// The dialog opens at once; the form and its schema load after it.
	const [CreateJobForm, fetchForm] = useLazyModule(loadForm);
	useUserIntent(useCallback(() => void fetchForm(true), [fetchForm]));
	useEffect(() => {
		// A form that failed to load is not open; opening it again loads it again.
		if (open) void fetchForm().then((loaded) => loaded || onClose());
	}, [open, fetchForm, onClose]);
	return (
		<DialogRoot open={open} onOpenChange={(wanted) => (wanted ? undefined : onClose())}>
			<DialogContent
				aria-describedby={undefined}
				onOpenAutoFocus={(event) => event.preventDefault()}
				onCloseAutoFocus={(event) => {
					event.preventDefault();
					onClosed();
				}}
			>
				<DialogHead title="New job" />
				{CreateJobForm === null ? (
					<FormSkeleton />
				) : like === null ? (
					<CreateJobForm key="new" like={null} onCreated={onCreated} />
				) : (
					<FormLike key={like} Form={CreateJobForm} id={like} onCreated={onCreated} />
				)}
			</DialogContent>
		</DialogRoot>
	);
}

/** The form filled in to repeat a job; empty, with the reason, if that job cannot be read. */
function FormLike({ Form, id, onCreated }: { Form: Form; id: number; onCreated(job: Job): void }) {
	const client = useQueryClient();
	const { data, error } = useQuery({ ...jobQuery(id), placeholderData: () => jobFromLists(client, id) });
	if (data !== undefined) return <Form like={data} onCreated={onCreated} />;
	if (error === null) return <FormSkeleton />;
	return (
		<>
			<Notice tone="warn" alert className="mx-5 mt-5">
				Couldn't read job {id}, so the form is empty. {errorMessage(error)}
			</Notice>
			<Form like={null} onCreated={onCreated} />
		</>
	);
}

const FormSkeleton = () => (
	<div className="flex flex-col gap-5 p-5">
		{["a", "b", "c", "d"].map((key) => (
			<div key={key} className="flex flex-col gap-2">
				<Skeleton className="h-3 w-24" />
				<Skeleton className="h-8 w-full" />
			</div>
		))}
	</div>
);
