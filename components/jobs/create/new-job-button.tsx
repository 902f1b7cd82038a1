"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { Plus } from "lucide-react";
import { memo, useRef } from "react";
import { useCan } from "#components/account/use-session.ts";
import { LinkButton } from "#components/navigation/link-button.tsx";
import { useShortcuts, useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { toast } from "#components/ui/toast.ts";
import { quoted } from "#lib/client/format.ts";
import { openCreateForm, replaceCreateForm, useCreateFormUrl } from "./create-form-url.ts";
import { CreateJobDialog } from "./create-job-dialog.tsx";

interface Props {
	onOpenJob(id: number, from: HTMLElement | null): void;
}

/** The button `New job` and its form, which the key N and `?new=1` open as well. For people who may create jobs. */
export const NewJobButton = memo(function NewJobButton({ onOpenJob }: Props) {
	return useCan("jobs:write") ? <NewJob onOpenJob={onOpenJob} /> : null;
});

function NewJob({ onOpenJob }: Props) {
	const { open, like, close, href, restoreFocus } = useCreateFormUrl();
	const button = useRef<HTMLAnchorElement>(null);
	const singleKeys = useSingleKeys();
	useShortcuts({ newJob: () => openCreateForm() });
	const created = (job: Job) => {
		replaceCreateForm((opener) => onOpenJob(job.id, opener ?? button.current));
		toast.success(`Created ${quoted(job.name)}.`);
	};
	return (
		<>
			<LinkButton
				ref={button}
				href={href}
				variant="primary"
				className="pointer-coarse:h-11"
				title={singleKeys ? "New job (N)" : undefined}
				aria-haspopup="dialog"
				onPress={() => openCreateForm({ from: button.current })}
			>
				<Plus aria-hidden className="size-4" />
				New job
			</LinkButton>
			<CreateJobDialog
				open={open}
				like={like}
				onClose={close}
				onClosed={() => restoreFocus(button.current)}
				onCreated={created}
			/>
		</>
	);
}
