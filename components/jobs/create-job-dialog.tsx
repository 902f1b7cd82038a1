"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMayWrite } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { useKeys } from "#components/ui/use-keys.ts";
import { wordsOf } from "#lib/client/api.ts";
import { jobFromLists, jobQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { createJobTexts as texts } from "#lib/texts/create-job.ts";
import { openCreateForm, useCreateFormDoor } from "./create-form-door.ts";

const loadForm = () => import("./create-job-form.tsx");
// The form and its schema are loaded when it is about to be used, not with the list.
const CreateJobForm = lazy(() => loadForm().then((module) => ({ default: module.CreateJobForm })));

interface Props {
	onOpenJob(id: number, from: HTMLElement | null): void;
}

/** The button `New job`, and the form that it, the key N and the address `?new=1` open. For those who may create jobs. */
export function CreateJobDialog({ onOpenJob }: Props) {
	return useMayWrite() ? <Door onOpenJob={onOpenJob} /> : null;
}

function Door({ onOpenJob }: Props) {
	const { open, like, close, giveFocusBack } = useCreateFormDoor();
	useKeys({ n: () => openCreateForm() });
	const created = (job: Job) => {
		close();
		toast.success(texts.created(job.name), {
			action: { label: texts.view, onClick: () => onOpenJob(job.id, null) },
		});
	};
	return (
		<>
			<Button
				look="primary"
				title={texts.newJobHint}
				aria-haspopup="dialog"
				onPointerEnter={() => void loadForm()}
				onFocus={() => void loadForm()}
				onClick={(event) => openCreateForm({ from: event.currentTarget })}
			>
				<Plus aria-hidden className="size-4" />
				{texts.newJob}
			</Button>
			<DialogRoot open={open} onOpenChange={(wanted) => (wanted ? undefined : close())}>
				<DialogContent
					aria-describedby={undefined}
					onOpenAutoFocus={(event) => event.preventDefault()}
					onCloseAutoFocus={(event) => {
						event.preventDefault();
						giveFocusBack();
					}}
				>
					<DialogHead title={texts.newJob} />
					<Suspense fallback={<FormSkeleton />}>
						{like === null ? (
							<CreateJobForm key="new" like={null} onCreated={created} />
						) : (
							<FormLike key={like} id={like} onCreated={created} />
						)}
					</Suspense>
				</DialogContent>
			</DialogRoot>
		</>
	);
}

/** The form filled in as the job was; empty, and with the reason, when that job cannot be read. */
function FormLike({ id, onCreated }: { id: number; onCreated(job: Job): void }) {
	const client = useQueryClient();
	const { data, error } = useQuery({ ...jobQuery(id), placeholderData: () => jobFromLists(client, id) });
	if (data !== undefined) return <CreateJobForm like={data} onCreated={onCreated} />;
	if (error === null) return <FormSkeleton />;
	return (
		<>
			<Notice tone="warn" alert className="mx-5 mt-5">
				{texts.notFilledIn(id, wordsOf(error))}
			</Notice>
			<CreateJobForm like={null} onCreated={onCreated} />
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
