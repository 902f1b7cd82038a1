"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot, DialogTrigger } from "#components/ui/dialog.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { useKeys } from "#components/ui/use-keys.ts";

const loadForm = () => import("./create-job-form.tsx");
// The form and its schema are loaded when it is about to be used, not with the list.
const CreateJobForm = lazy(() => loadForm().then((module) => ({ default: module.CreateJobForm })));

/** The button `New job` and the form that it opens. */
export function CreateJobDialog({ onOpenJob }: { onOpenJob(id: number, from: HTMLElement | null): void }) {
	const [open, setOpen] = useState(false);
	useKeys({ n: () => setOpen(true) });
	return (
		<DialogRoot open={open} onOpenChange={setOpen}>
			<DialogTrigger asChild>
				<Button look="primary" title="New job (N)" onPointerEnter={loadForm} onFocus={loadForm}>
					<Plus aria-hidden className="size-4" />
					New job
				</Button>
			</DialogTrigger>
			<DialogContent aria-describedby={undefined} onOpenAutoFocus={(event) => event.preventDefault()}>
				<DialogHead title="New job" />
				<Suspense fallback={<FormSkeleton />}>
					<CreateJobForm
						onCreated={(job) => {
							setOpen(false);
							toast.success(`Created “${job.name}”.`, {
								action: { label: "View", onClick: () => onOpenJob(job.id, null) },
							});
						}}
					/>
				</Suspense>
			</DialogContent>
		</DialogRoot>
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
