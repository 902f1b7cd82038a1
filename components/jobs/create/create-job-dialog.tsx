"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { usePart } from "#components/ui/use-part.ts";
import { wordsOf } from "#lib/client/api.ts";
import { jobFromLists, jobQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { createJobTexts as texts } from "#lib/texts/create-job.ts";
import { newJobTexts } from "#lib/texts/jobs.ts";

const loadForm = () => import("../create-job-form.tsx").then((module) => module.CreateJobForm);
type Form = Awaited<ReturnType<typeof loadForm>>;

interface Props {
	open: boolean;
	/** The id of the job that the form is filled in to repeat. */
	like: number | null;
	onClose(): void;
	/** It has gone, and the focus with it. */
	onClosed(): void;
	onCreated(job: Job): void;
}

/** The create form over the page. */
export function CreateJobDialog({ open, like, onClose, onClosed, onCreated }: Props) {
	// The dialog is there at once, the form with its schema a moment later.
	const [CreateJobForm, fetchForm] = usePart(loadForm);
	useEffect(() => {
		// Should that fail before the form is opened, it is tried again then.
		void fetchForm(!open).then((here) => here || !open || onClose());
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
				<DialogHead title={newJobTexts.newJob} />
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

/** The form filled in as the job was; empty, and with the reason, when that job cannot be read. */
function FormLike({ Form, id, onCreated }: { Form: Form; id: number; onCreated(job: Job): void }) {
	const client = useQueryClient();
	const { data, error } = useQuery({ ...jobQuery(id), placeholderData: () => jobFromLists(client, id) });
	if (data !== undefined) return <Form like={data} onCreated={onCreated} />;
	if (error === null) return <FormSkeleton />;
	return (
		<>
			<Notice tone="warn" alert className="mx-5 mt-5">
				{texts.notFilledIn(id, wordsOf(error))}
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
